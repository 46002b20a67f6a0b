import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import type { CollectionView } from '../collection-list/collection.view';
import { Name } from '../field.schema';

export const UpdateCollectionBody = z
  .strictObject({
    name: Name,
    description: z.string().max(1_000).nullable().describe('What people read about the collection; null takes it away'),
    ifMatch: z.int().min(0).optional().describe('Only if the collection still has this version'),
  })
  .meta({ id: 'UpdateCollection' });
export type UpdateCollectionBody = z.infer<typeof UpdateCollectionBody>;

export const DeleteCollectionBody = z
  .strictObject({
    name: Name,
    ifMatch: z.int().min(0).optional().describe('Only if the collection still has this version'),
  })
  .meta({ id: 'DeleteCollection' });
export type DeleteCollectionBody = z.infer<typeof DeleteCollectionBody>;

export const GoneCollection = z.object({ name: z.string(), deleted: z.literal(true) }).meta({ id: 'GoneCollection' });
export type GoneCollection = Readonly<z.infer<typeof GoneCollection>>;

export class UpdateCollection extends Command<Outcome<CollectionView>> {
  constructor(
    readonly body: UpdateCollectionBody,
    readonly context: Context,
  ) {
    super();
  }
}

/** For ever: nobody brings a collection or its items back, and its name is never free again. */
export class DeleteCollection extends Command<Outcome<GoneCollection>> {
  constructor(
    readonly body: DeleteCollectionBody,
    readonly context: Context,
  ) {
    super();
  }
}
