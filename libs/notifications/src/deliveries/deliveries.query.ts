import { Command, Query, type Outcome } from '@app/kernel';
import type { DeliveryView } from './delivery.view';

export type DeliveriesPage = { readonly rows: readonly DeliveryView[]; readonly nextCursor: string | null; readonly position: bigint };

export class ListDeliveries extends Query<DeliveriesPage> {
  constructor(readonly siteId: string, readonly page: { readonly limit: number; readonly cursor?: string | undefined; readonly notificationId?: string | undefined; readonly minPosition?: bigint | undefined }) {
    super();
  }
}

/** Sends once more what failed. */
export class ReplayDelivery extends Command<Outcome<{ readonly deliveryId: string }>> {
  constructor(readonly deliveryId: string, readonly siteId: string, readonly now: Date) {
    super();
  }
}
