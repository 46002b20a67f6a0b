import { z } from 'zod';
import type { KnownSubscription } from '../subscription.state';

/** `secret` is the name of the secret that deliveries are signed with; null: one of the subscription's own. */
const Target = z.discriminatedUnion('type', [z.object({ type: z.literal('webhook'), url: z.string(), secret: z.string().nullable() })]);

/** `fromPosition` is where it began, or where it was replayed from last. */
export const SubscriptionView = z.object({
  id: z.string(),
  name: z.string(),
  target: Target,
  types: z.array(z.string()).nullable(),
  categories: z.array(z.string()).nullable(),
  fromPosition: z.string(),
  replays: z.int(),
  createdAt: z.string(),
  changedAt: z.string(),
}).meta({ id: 'CdcSubscription' });
export type SubscriptionView = Readonly<z.infer<typeof SubscriptionView>>;

export const DELIVERY_STATUSES = ['idle', 'delivering', 'retrying'] as const;

/**
 * `position`: everything up to here that it wants was delivered. `lag`: how many events of its kind wait behind that; at most 1 000 are counted, and
 * null says that they could not be counted in time. `attempts` is how often the next one was tried in vain, `nextAttemptAt` when it is tried again.
 */
export const SubscriptionStatus = SubscriptionView.extend({
  status: z.enum(DELIVERY_STATUSES),
  position: z.string(),
  lag: z.int().nullable(),
  attempts: z.int(),
  lastError: z.object({ code: z.string(), detail: z.string(), eventId: z.string(), at: z.string() }).nullable(),
  nextAttemptAt: z.string().nullable(),
}).meta({ id: 'CdcSubscriptionStatus' });
export type SubscriptionStatus = Readonly<z.infer<typeof SubscriptionStatus>>;

export const subscriptionView = ({ subscriptionId: id, name, target: { type, url, secret }, filter: { types, categories }, fromPosition, replays, createdAt, changedAt }: KnownSubscription): SubscriptionView => ({
  id, name, target: { type, url, secret }, types: types ?? null, categories: categories ?? null, fromPosition, replays, createdAt, changedAt,
});
