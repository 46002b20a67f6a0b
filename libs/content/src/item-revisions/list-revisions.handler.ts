import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { missing, type Outcome } from '@app/kernel';
import { ReadModels, type Stored } from '@app/projections';
import { isItemId } from '../item-id.policy';
import { item } from '../item.state';
import { listed } from '../listed';
import type { Listed } from '../listed.view';
import type { ItemRevisionView } from './item-revision.view';
import { itemRevisions, type ItemRevisionRow } from './item-revisions.projection';
import { ListRevisions } from './list-revisions.query';

@QueryHandler(ListRevisions)
export class ListRevisionsHandler implements IQueryHandler<ListRevisions> {
  constructor(
    private readonly executor: Executor,
    private readonly readModels: ReadModels,
  ) {}

  async execute({ input, context: { siteId }, minPosition }: ListRevisions): Promise<Outcome<Listed<ItemRevisionView>>> {
    if (!isItemId(input.id)) return missing();
    const { state } = await this.executor.current(item, input.id);
    if (state.status === 'none' || state.siteId !== siteId || state.collection !== input.collection) return missing();
    if (minPosition !== undefined) await this.readModels.reached(itemRevisions, minPosition);
    const page = await this.readModels.list(itemRevisions, {
      siteId,
      where: [{ path: 'itemId', is: 'eq', value: input.id }],
      sort: { field: 'revision', direction: 'desc' },
      limit: input.limit,
      ...(input.cursor !== undefined && { cursor: input.cursor }),
    });
    return listed(page, viewOf);
  }
}

const viewOf = ({ siteId: _site, position: _position, ...view }: Stored<ItemRevisionRow>): ItemRevisionView => view;
