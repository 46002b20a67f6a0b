import { projection } from '@app/projections/contract';
import type { SubscriptionEvent } from '../subscription.events';
import { subscription, type Subscription } from '../subscription.state';

export type SubscriptionRow = { readonly id: string; readonly siteId: string; readonly subscription: Subscription };

const next = (row: SubscriptionRow | null, event: SubscriptionEvent): SubscriptionRow | null => {
  const state = subscription.evolve(row?.subscription ?? subscription.initial, event);
  return state.status === 'live' ? { id: state.subscriptionId, siteId: state.siteId, subscription: state } : null;
};

/** The subscriptions of a site that were not deleted, each as its stream folds. */
export const subscriptions = projection<SubscriptionRow, SubscriptionEvent>({
  name: 'subscriptions',
  version: 1,
  columns: { subscription: 'jsonb' },
  on: { SubscriptionCreated: next, SubscriptionReplayed: next, SubscriptionDeleted: next },
});
