import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { EventFormat, Position, SubscriptionFilter, SubscriptionName, SubscriptionTarget } from '../subscription.schema';
import { SubscriptionView } from '../subscription-list/subscription.view';

/** Without `fromPosition` it delivers what happens from now on; "1" is the whole history. */
export const CreateSubscriptionBody = z.strictObject({
  name: SubscriptionName,
  target: SubscriptionTarget,
  format: EventFormat.optional(),
  ...SubscriptionFilter.shape,
  fromPosition: Position.optional(),
}).meta({ id: 'CreateCdcSubscription' });
export type CreateSubscriptionBody = z.infer<typeof CreateSubscriptionBody>;

/** `secret` is what deliveries are signed with, when it was made for this subscription; null when the body named one, and when nothing is signed. */
export const CreatedSubscription = SubscriptionView.extend({ secret: z.string().nullable(), notice: z.string().optional() }).meta({ id: 'CreatedCdcSubscription' });
export type CreatedSubscription = Readonly<z.infer<typeof CreatedSubscription>>;

export class CreateSubscription extends Command<Outcome<CreatedSubscription>> {
  constructor(
    readonly body: CreateSubscriptionBody,
    readonly context: Context,
  ) {
    super();
  }
}
