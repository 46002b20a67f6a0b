import { unreachable } from '@app/kernel';
import { deliverySubject } from '@app/nats/contract';
import { z } from 'zod';
import { EventFormat } from '../subscription.schema';
import type { KnownSubscription } from '../subscription.state';

/** `secret` is the name of the secret that deliveries are signed with; null: one of the subscription's own. `subject`: where on the message broker they go. */
const Target = z.discriminatedUnion('type', [
  z.object({ type: z.literal('webhook'), url: z.string(), secret: z.string().nullable() }),
  z.object({ type: z.literal('nats'), topic: z.string(), subject: z.string() }),
  z.object({ type: z.literal('syslog'), address: z.string() }),
]);

/** `fromPosition` is where it began, or where it was replayed from last. */
export const SubscriptionView = z.object({
  id: z.string(),
  name: z.string(),
  target: Target,
  format: EventFormat,
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

const targetView = ({ siteId, target }: KnownSubscription): SubscriptionView['target'] => {
  switch (target.type) {
    case 'webhook':
      return { type: target.type, url: target.url, secret: target.secret };
    case 'nats':
      return { ...target, subject: deliverySubject(siteId, target.topic) };
    case 'syslog':
      return target;
    default:
      return unreachable(target);
  }
};

export const subscriptionView = (known: KnownSubscription): SubscriptionView => {
  const { subscriptionId: id, name, format = 'cloudevents', filter: { types, categories }, fromPosition, replays, createdAt, changedAt } = known;
  return { id, name, target: targetView(known), format, types: types ?? null, categories: categories ?? null, fromPosition, replays, createdAt, changedAt };
};
