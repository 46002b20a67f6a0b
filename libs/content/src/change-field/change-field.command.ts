import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import type { CollectionView } from '../collection-list/collection.view';
import { Constraints, Name } from '../field.schema';

export const UpdateFieldBody = z
  .strictObject({
    collection: Name,
    field: Name,
    required: z.boolean().optional(),
    constraints: Constraints.nullable().optional().describe('All of them anew; null takes them away'),
    ifMatch: z.int().min(0).optional().describe('Only if the collection still has this version'),
  })
  .meta({ id: 'UpdateField' });
export type UpdateFieldBody = z.infer<typeof UpdateFieldBody>;

export const DeleteFieldBody = z
  .strictObject({
    collection: Name,
    field: Name,
    ifMatch: z.int().min(0).optional().describe('Only if the collection still has this version'),
  })
  .meta({ id: 'DeleteField' });
export type DeleteFieldBody = z.infer<typeof DeleteFieldBody>;

/** The type of a field never changes: items hold values of it. */
export class UpdateField extends Command<Outcome<CollectionView>> {
  constructor(
    readonly body: UpdateFieldBody,
    readonly context: Context,
  ) {
    super();
  }
}

/** For ever: its values are shown to nobody any more, and its name is never free again. */
export class DeleteField extends Command<Outcome<CollectionView>> {
  constructor(
    readonly body: DeleteFieldBody,
    readonly context: Context,
  ) {
    super();
  }
}
