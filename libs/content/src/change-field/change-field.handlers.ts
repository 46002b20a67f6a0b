import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Outcome } from '@app/kernel';
import type { CollectionView } from '../collection-list/collection.view';
import { CollectionWriter } from '../collection-writer';
import { re2Patterns } from '../re2-patterns';
import { DeleteField, UpdateField } from './change-field.command';
import { decideDeleteField, decideUpdateField } from './change-field.decide';

@CommandHandler(UpdateField)
export class UpdateFieldHandler implements ICommandHandler<UpdateField> {
  constructor(private readonly collections: CollectionWriter) {}

  execute = ({ body, context }: UpdateField): Promise<Outcome<CollectionView>> =>
    this.collections.write(body.collection, context, (state, version) => decideUpdateField(state, version, body, context, re2Patterns));
}

@CommandHandler(DeleteField)
export class DeleteFieldHandler implements ICommandHandler<DeleteField> {
  constructor(private readonly collections: CollectionWriter) {}

  execute = ({ body, context }: DeleteField): Promise<Outcome<CollectionView>> =>
    this.collections.write(body.collection, context, (state, version) => decideDeleteField(state, version, body, context));
}
