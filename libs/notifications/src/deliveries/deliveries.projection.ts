import { projection } from '@app/projections/contract';
import type { NotificationEvent } from '../deliver/delivery.events';
import type { DeliveryView } from './delivery.view';

export type DeliveryRow = DeliveryView & { readonly siteId: string };

const rowId = ({ deliveryId, attempt }: NotificationEvent['data']) => `${deliveryId}#${attempt}`;

/** Every attempt, with its result. */
export const deliveryAttempts = projection<DeliveryRow, NotificationEvent>({
  name: 'notification_deliveries',
  version: 1,
  columns: {
    deliveryId: 'text', notificationId: 'text', kind: 'text', sink: 'text', target: 'text', attempt: 'integer', together: 'integer', status: 'text', code: 'text', detail: 'text', nextAttemptAt: 'text', durationMs: 'double precision',
    at: 'text',
  },
  rowIds: ({ data }) => [rowId(data)],
  on: {
    NotificationDelivered: (_row, { data }, id) => ({ id, ...data, status: 'delivered', code: null, detail: null, nextAttemptAt: null }),
    NotificationFailed: (_row, { data }, id) => ({ id, ...data, status: 'failed' }),
  },
});
