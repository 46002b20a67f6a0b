import { accept, reject, type Context, type Decision } from '@app/kernel';
import { agentBesideTheDoor } from '../live-subscription.policy';
import type { KeptTarget, SubscriptionEvent } from '../subscription.events';
import type { Subscription } from '../subscription.state';
import { positionRefusal } from '../position.policy';
import type { CreateSubscriptionBody } from './create-subscription.command';

/** Each is a consumer of the log with a lease, in every process. */
export const MOST_SUBSCRIPTIONS = 100;

/** `head` is where the log stands, `others` how many subscriptions the site has, as far as the list of them knows. `hasBroker`: this server is connected to NATS. */
type Made = { readonly subscriptionId: string; readonly target: KeptTarget; readonly head: bigint; readonly others: number; readonly hasBroker: boolean };

/** It begins behind what the log holds now, unless somebody wants what was before. */
export const createSubscription = (
  { subscription }: { readonly subscription: Subscription },
  { name, format, types, categories, fromPosition }: CreateSubscriptionBody,
  { subscriptionId, target, head, others, hasBroker }: Made,
  context: Pick<Context, 'siteId' | 'now' | 'actor' | 'runId'>,
): Decision<{ readonly subscription: readonly SubscriptionEvent[] }> => {
  const refused = agentBesideTheDoor(context, 'createCdcSubscription');
  if (refused) return refused;
  if (subscription.status !== 'none') return accept({ subscription: [] });
  if (target.type === 'nats' && !hasBroker) return reject('unavailable', 'UNAVAILABLE', 'This server has no message broker; set NATS_URL, or choose another target.', { missing: 'NATS_URL' });
  if (others >= MOST_SUBSCRIPTIONS) return reject('conflict', 'CONFLICT', `A site has at most ${MOST_SUBSCRIPTIONS} subscriptions; delete one that nobody needs.`, { most: MOST_SUBSCRIPTIONS });
  const wrong = fromPosition === undefined ? undefined : positionRefusal(fromPosition, head);
  if (wrong) return wrong;
  const filter = { ...(types && { types }), ...(categories && { categories }) };
  const data = { subscriptionId, siteId: context.siteId, name, target, filter, ...(format && { format }), fromPosition: fromPosition ?? String(head + 1n), at: context.now.toISOString() };
  return accept({ subscription: [{ type: 'SubscriptionCreated', data }] });
};
