import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Outcome } from '@app/kernel';
import type { CollectionView } from '../collection-list/collection.view';
import { CollectionWriter } from '../collection-writer';
import { DeleteCollection, UpdateCollection, type GoneCollection } from './change-collection.command';
import { decideDeleteCollection, decideUpdateCollection } from './change-collection.decide';

@CommandHandler(UpdateCollection)
export class UpdateCollectionHandler implements ICommandHandler<UpdateCollection> {
  constructor(private readonly collections: CollectionWriter) {}

  execute = ({ body, context }: UpdateCollection): Promise<Outcome<CollectionView>> =>
    this.collections.write(body.name, context, (state, version) => decideUpdateCollection(state, version, body, context));
}

@CommandHandler(DeleteCollection)
export class DeleteCollectionHandler implements ICommandHandler<DeleteCollection> {
  constructor(private readonly collections: CollectionWriter) {}

  async execute({ body, context }: DeleteCollection): Promise<Outcome<GoneCollection>> {
    const done = await this.collections.change(body.name, context, (state, version) => decideDeleteCollection(state, version, body, context));
    return done.ok ? { ok: true, data: { name: body.name, deleted: true }, position: done.position } : done;
  }
}
