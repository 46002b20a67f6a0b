import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';

export const DeletedIntent = z.object({ id: z.string(), deletedAt: z.string() }).meta({ id: 'DeletedIntent' });
export type DeletedIntent = z.infer<typeof DeletedIntent>;

export class DeleteIntent extends Command<Outcome<DeletedIntent>> {
  constructor(
    readonly intentId: string,
    readonly context: Context,
  ) {
    super();
  }
}
