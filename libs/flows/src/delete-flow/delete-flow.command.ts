import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';

export const DeletedFlow = z.object({ id: z.string(), deleted: z.literal(true) }).meta({ id: 'DeletedFlow' });
export type DeletedFlow = z.infer<typeof DeletedFlow>;

export class DeleteFlow extends Command<Outcome<DeletedFlow>> {
  constructor(
    readonly flowId: string,
    readonly context: Context,
  ) {
    super();
  }
}
