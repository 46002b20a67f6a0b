import { z } from 'zod';
import { KINDS } from '../notification.schema';
import { SINKS } from '../deliver/delivery.events';

/** One attempt to tell somebody. `nextAttemptAt` is null when it went well or was given up. */
export const DeliveryView = z.object({
  id: z.string(), deliveryId: z.string(), notificationId: z.string(), kind: z.enum(KINDS), sink: z.enum(SINKS), target: z.string(), attempt: z.int(), together: z.int(), status: z.enum(['delivered', 'failed']),
  code: z.string().nullable(), detail: z.string().nullable(), nextAttemptAt: z.string().nullable(), durationMs: z.number(), at: z.string(),
}).meta({ id: 'NotificationDelivery' });
export type DeliveryView = Readonly<z.infer<typeof DeliveryView>>;

export const ReplayedDelivery = z.object({ deliveryId: z.string() }).meta({ id: 'ReplayedNotification' });
