import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { Position } from '../subscription.schema';
import type { SubscriptionView } from '../subscription-list/subscription.view';

/** The first position that is delivered again. One that lies ahead of the subscription passes over what is in between. */
export const ReplaySubscriptionBody = z.strictObject({ fromPosition: Position }).meta({ id: 'ReplayCdcSubscription' });
export type ReplaySubscriptionBody = z.infer<typeof ReplaySubscriptionBody>;

export class ReplaySubscription extends Command<Outcome<SubscriptionView>> {
  constructor(
    readonly subscriptionId: string,
    readonly body: ReplaySubscriptionBody,
    readonly context: Context,
  ) {
    super();
  }
}
