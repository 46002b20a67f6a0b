import type { Aggregate } from '@app/kernel';
import type { NotificationEvent } from './delivery.events';

/** How many attempts of each delivery are on record. */
export type Deliveries = { readonly attempts: Readonly<Record<string, number>> };

export const deliveries: Aggregate<Deliveries, NotificationEvent> = {
  category: 'notification',
  stateVersion: 1,
  initial: { attempts: {} },
  evolve: (state, { data: { deliveryId, attempt } }) => ({ attempts: { ...state.attempts, [deliveryId]: attempt } }),
};
