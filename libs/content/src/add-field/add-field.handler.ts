import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Outcome } from '@app/kernel';
import type { CollectionView } from '../collection-list/collection.view';
import { CollectionWriter } from '../collection-writer';
import { re2Patterns } from '../re2-patterns';
import { AddField } from './add-field.command';
import { decideAddField } from './add-field.decide';

@CommandHandler(AddField)
export class AddFieldHandler implements ICommandHandler<AddField> {
  constructor(private readonly collections: CollectionWriter) {}

  execute = ({ body, context }: AddField): Promise<Outcome<CollectionView>> =>
    this.collections.write(body.collection, context, (state, version) => decideAddField(state, version, body, context, re2Patterns));
}
