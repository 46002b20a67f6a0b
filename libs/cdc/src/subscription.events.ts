import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';
import { EventFormat, Position, SubscriptionFilter, SubscriptionName } from './subscription.schema';

/**
 * As it is kept. Deliveries to a webhook are signed with the named secret of the site, or, where none is named, with one that was made for this subscription and
 * stands here sealed under a key of its own.
 */
export const KeptTarget = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('webhook'), url: z.string(), secret: z.string().nullable(), sealedSecret: z.string().optional() }),
  z.strictObject({ type: z.literal('nats'), topic: z.string() }),
  z.strictObject({ type: z.literal('syslog'), address: z.string() }),
]);
export type KeptTarget = z.infer<typeof KeptTarget>;

export const subscriptionEvents = eventFamily('subscription', {
  SubscriptionCreated: z.strictObject({
    subscriptionId: z.string(),
    siteId: z.string(),
    name: SubscriptionName,
    target: KeptTarget,
    filter: SubscriptionFilter,
    /** Absent: `cloudevents`. */
    format: EventFormat.optional(),
    /** The first position that it may deliver. */
    fromPosition: Position,
    at: z.string(),
  }),
  /** From here on it delivers again what stands at this position and behind it, or passes over what stands before it. */
  SubscriptionReplayed: z.strictObject({ fromPosition: Position, at: z.string() }),
  SubscriptionDeleted: z.strictObject({ at: z.string() }),
});
export type SubscriptionEvent = EventOf<typeof subscriptionEvents>;
