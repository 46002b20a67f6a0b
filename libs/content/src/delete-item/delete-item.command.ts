import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { Name } from '../field.schema';

export const DeleteItemBody = z
  .strictObject({
    collection: Name,
    id: z.string().max(100),
    ifMatch: z.int().min(0).optional().describe('Delete the item only if it still has this version'),
  })
  .meta({ id: 'DeleteItem' });
export type DeleteItemBody = z.infer<typeof DeleteItemBody>;

export const DeletedItem = z.object({ id: z.string(), collection: z.string(), deleted: z.literal(true) }).meta({ id: 'DeletedItem' });
export type DeletedItem = Readonly<z.infer<typeof DeletedItem>>;

export class DeleteItem extends Command<Outcome<DeletedItem>> {
  constructor(
    readonly body: DeleteItemBody,
    readonly context: Context,
  ) {
    super();
  }
}
