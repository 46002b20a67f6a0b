import { accept, type Decision } from '@app/kernel';
import type { NotificationEvent } from './delivery.events';
import type { Deliveries } from './delivery.state';

/** Each attempt is on record once, also when the process died between the record and the outbox. */
export const recordAttempt = (state: Deliveries, event: NotificationEvent): Decision<{ readonly notification: readonly NotificationEvent[] }> =>
  accept({ notification: (state.attempts[event.data.deliveryId] ?? 0) >= event.data.attempt ? [] : [event] });
