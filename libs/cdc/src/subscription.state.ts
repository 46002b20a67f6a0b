import { unreachable, type Aggregate } from '@app/kernel';
import type { SubscriptionEvent } from './subscription.events';

type Created = Extract<SubscriptionEvent, { type: 'SubscriptionCreated' }>['data'];

/** `fromPosition` is where its present round of deliveries began, `replays` how many rounds there were before. */
export type KnownSubscription = Omit<Created, 'at'> & {
  readonly status: 'live' | 'deleted';
  readonly replays: number;
  readonly createdAt: string;
  readonly changedAt: string;
};
export type Subscription = { readonly status: 'none' } | KnownSubscription;

export const subscription: Aggregate<Subscription, SubscriptionEvent> = {
  category: 'subscription',
  stateVersion: 1,
  initial: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'SubscriptionCreated') {
      const { at, ...created } = event.data;
      return { status: 'live', ...created, replays: 0, createdAt: at, changedAt: at };
    }
    if (state.status === 'none') return state;
    switch (event.type) {
      case 'SubscriptionReplayed':
        return { ...state, fromPosition: event.data.fromPosition, replays: state.replays + 1, changedAt: event.data.at };
      case 'SubscriptionDeleted':
        return { ...state, status: 'deleted', changedAt: event.data.at };
      default:
        return unreachable(event);
    }
  },
};
