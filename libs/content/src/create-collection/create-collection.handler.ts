import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Outcome } from '@app/kernel';
import { CollectionWriter } from '../collection-writer';
import type { CollectionView } from '../collection-list/collection.view';
import { re2Patterns } from '../re2-patterns';
import { CreateCollection } from './create-collection.command';
import { decideCreateCollection } from './create-collection.decide';

@CommandHandler(CreateCollection)
export class CreateCollectionHandler implements ICommandHandler<CreateCollection> {
  constructor(private readonly collections: CollectionWriter) {}

  execute = ({ body, context }: CreateCollection): Promise<Outcome<CollectionView>> =>
    this.collections.write(body.name, context, (state) => decideCreateCollection(state, body, context, re2Patterns));
}
