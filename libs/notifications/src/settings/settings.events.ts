import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';
import { CHANNEL_TYPES, QuietHours } from './settings.schema';
import { KINDS } from '../notification.schema';

const Kinds = z.array(z.enum(KINDS));
const Channel = z.strictObject({ name: z.string(), type: z.enum(CHANNEL_TYPES), url: z.string(), kinds: Kinds, secret: z.string().optional(), decidesAs: z.string().optional() });

/** Addresses of people and of their browsers stand here sealed, under the key of the person. */
export const notifyEvents = eventFamily('notify', {
  NotificationPreferencesChanged: z.strictObject({
    /** Whose inbox it is: a user, or a principal that belongs to none; and the key that the person used, in whose name its links decide. */
    personId: z.string(), principalId: z.string(), sealedEmail: z.string().nullable(),
    kinds: z.strictObject({ email: Kinds, push: Kinds }), quietHours: QuietHours.nullable(), digestMinutes: z.int().nullable(), at: z.string(),
  }),
  NotificationChannelsChanged: z.strictObject({ channels: z.array(Channel), at: z.string() }),
  PushSubscribed: z.strictObject({ personId: z.string(), principalId: z.string(), subscriptionId: z.string(), sealed: z.string(), at: z.string() }),
  /** `gone`: the push service said that the browser has left. */
  PushUnsubscribed: z.strictObject({ personId: z.string(), subscriptionId: z.string(), cause: z.enum(['person', 'gone']), at: z.string() }),
});
export type NotifyEvent = EventOf<typeof notifyEvents>;
