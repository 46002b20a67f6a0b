import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';

export const DeletedSubscription = z.object({ id: z.string(), deleted: z.literal(true) }).meta({ id: 'DeletedCdcSubscription' });
export type DeletedSubscription = z.infer<typeof DeletedSubscription>;

export class DeleteSubscription extends Command<Outcome<DeletedSubscription>> {
  constructor(
    readonly subscriptionId: string,
    readonly context: Context,
  ) {
    super();
  }
}
