import { accept, type Context, type Decision } from '@app/kernel';
import { agentBesideTheDoor, liveSubscription } from '../live-subscription.policy';
import type { SubscriptionEvent } from '../subscription.events';
import type { Subscription } from '../subscription.state';

/** Nothing is delivered any more, and its position is forgotten. */
export const deleteSubscription = (
  { subscription }: { readonly subscription: Subscription },
  context: Pick<Context, 'siteId' | 'now' | 'actor' | 'runId'>,
): Decision<{ readonly subscription: readonly SubscriptionEvent[] }> => {
  const found = liveSubscription(subscription, context.siteId);
  if (!found.ok) return found;
  return agentBesideTheDoor(context, 'deleteCdcSubscription') ?? accept({ subscription: [{ type: 'SubscriptionDeleted', data: { at: context.now.toISOString() } }] });
};
