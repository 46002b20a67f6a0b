import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Outcome } from '@app/kernel';
import { collectionView, type CollectionView } from '../collection-list/collection.view';
import { CollectionReader } from '../collection-reader';
import { GetCollection } from './get-collection.query';

@QueryHandler(GetCollection)
export class GetCollectionHandler implements IQueryHandler<GetCollection> {
  constructor(private readonly collections: CollectionReader) {}

  async execute({ input: { name }, context: { siteId } }: GetCollection): Promise<Outcome<CollectionView>> {
    const found = await this.collections.find(siteId, name);
    return found.ok ? { ok: true, data: collectionView(found.state, found.version), position: found.position } : found;
  }
}
