import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';
import { KINDS } from '../notification.schema';

export const SINKS = ['email', 'push', 'slack', 'webhook'] as const;

/** `target` names a channel or a person, and no address. `together` is how many notifications the message held. */
const Attempt = {
  deliveryId: z.string(), siteId: z.string(), notificationId: z.string(), kind: z.enum(KINDS), sink: z.enum(SINKS), target: z.string(), attempt: z.int(), together: z.int(), durationMs: z.number(), at: z.string(),
};

export const notificationEvents = eventFamily('notification', {
  NotificationDelivered: z.strictObject(Attempt),
  /** `nextAttemptAt` is null when it is given up until somebody replays it. */
  NotificationFailed: z.strictObject({ ...Attempt, code: z.string(), detail: z.string(), nextAttemptAt: z.string().nullable() }),
});
export type NotificationEvent = EventOf<typeof notificationEvents>;
