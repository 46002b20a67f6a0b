import { accept, type Context, type Decision } from '@app/kernel';
import { agentBesideTheDoor, liveSubscription } from '../live-subscription.policy';
import { positionRefusal } from '../position.policy';
import type { SubscriptionEvent } from '../subscription.events';
import type { Subscription } from '../subscription.state';
import type { ReplaySubscriptionBody } from './replay-subscription.command';

/** A replay is a new round of deliveries, also from where the last one began: somebody who asks twice is sent everything twice. */
export const replaySubscription = (
  { subscription }: { readonly subscription: Subscription },
  { fromPosition }: ReplaySubscriptionBody,
  head: bigint,
  context: Pick<Context, 'siteId' | 'now' | 'actor' | 'runId'>,
): Decision<{ readonly subscription: readonly SubscriptionEvent[] }> => {
  const found = liveSubscription(subscription, context.siteId);
  if (!found.ok) return found;
  const refused = agentBesideTheDoor(context, 'replayCdcSubscription') ?? positionRefusal(fromPosition, head);
  return refused ?? accept({ subscription: [{ type: 'SubscriptionReplayed', data: { fromPosition, at: context.now.toISOString() } }] });
};
