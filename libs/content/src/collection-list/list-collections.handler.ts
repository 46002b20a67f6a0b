import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Outcome } from '@app/kernel';
import { ReadModels } from '@app/projections';
import { listed } from '../listed';
import type { Listed } from '../listed.view';
import { collectionView, type CollectionView } from './collection.view';
import { collections } from './collections.projection';
import { ListCollections } from './list-collections.query';

@QueryHandler(ListCollections)
export class ListCollectionsHandler implements IQueryHandler<ListCollections> {
  constructor(private readonly readModels: ReadModels) {}

  async execute({ input: { limit, cursor }, context: { siteId }, minPosition }: ListCollections): Promise<Outcome<Listed<CollectionView>>> {
    if (minPosition !== undefined) await this.readModels.reached(collections, minPosition);
    const page = await this.readModels.list(collections, {
      siteId,
      sort: { field: 'name', direction: 'asc' },
      limit,
      ...(cursor !== undefined && { cursor }),
    });
    return listed(page, (row) => collectionView(row, row.version));
  }
}
