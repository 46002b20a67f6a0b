import type { SubscriptionEvent } from './subscription.events';

export const SUBSCRIPTION = 'sub_01a22c4612f5712dac4379ec3ad00061';
export const AT = '2030-01-01T10:00:00.000Z';

type Created = Extract<SubscriptionEvent, { type: 'SubscriptionCreated' }>['data'];
export const created = (overrides: Partial<Created> = {}): SubscriptionEvent => ({
  type: 'SubscriptionCreated',
  data: {
    subscriptionId: SUBSCRIPTION, siteId: 'site_a', name: 'Search index', target: { type: 'webhook', url: 'https://search.example/in', secret: null, sealedSecret: 'v1.c2VhbGVk' },
    filter: { types: ['ItemCreated', 'ItemPatched'], categories: ['item'] }, fromPosition: '42', at: AT, ...overrides,
  },
});
export const replayed = (fromPosition = '7'): SubscriptionEvent => ({ type: 'SubscriptionReplayed', data: { fromPosition, at: AT } });
export const deleted: SubscriptionEvent = { type: 'SubscriptionDeleted', data: { at: AT } };
