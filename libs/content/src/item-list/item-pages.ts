import { Injectable } from '@nestjs/common';
import { reject, type Outcome } from '@app/kernel';
import { ReadModels } from '@app/projections';
import { CollectionReader } from '../collection-reader';
import { knownData } from '../item.policy';
import { listed } from '../listed';
import type { Listed } from '../listed.view';
import { filterProblems } from './item-filter.policy';
import { itemView, type ItemView } from './item.view';
import { items } from './items.projection';
import type { ListItemsInput } from './list-items.query';

/** Live items of one collection, page by page: the items of all collections are served from one read model. */
@Injectable()
export class ItemPages {
  constructor(
    private readonly collections: CollectionReader,
    private readonly readModels: ReadModels,
  ) {}

  async page(siteId: string, { collection, where = [], sort, limit, cursor }: ListItemsInput, minPosition?: bigint): Promise<Outcome<Listed<ItemView>>> {
    const found = await this.collections.find(siteId, collection);
    if (!found.ok) return found;
    const errors = filterProblems(found.state.fields, where);
    if (errors.length > 0)
      return reject('invalid', 'VALIDATION_FAILED', `The collection ${collection} cannot be filtered like that.`, { errors });
    if (minPosition !== undefined) await this.readModels.reached(items, minPosition);
    const page = await this.readModels.list(items, {
      siteId,
      where: [
        { path: 'collection', is: 'eq', value: collection },
        ...where.map(({ field, is, value }) => ({ path: `data.${field}`, is, value })),
      ],
      limit,
      ...(sort !== undefined && { sort: { field: sort.replace('-', ''), direction: sort.startsWith('-') ? 'desc' : 'asc' } }),
      ...(cursor !== undefined && { cursor }),
    });
    return listed(page, (row) => itemView(row.id, { ...row, data: knownData(row.data, found.state) }, row.version));
  }
}
