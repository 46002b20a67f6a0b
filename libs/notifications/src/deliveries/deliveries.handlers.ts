import { CommandHandler, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import { EventStore } from '@app/event-store';
import { missing, type Outcome } from '@app/kernel';
import { equalTo, ReadModels } from '@app/projections';
import { Pool } from 'pg';
import { Outbox } from '../deliver/outbox';
import { deliveryAttempts } from './deliveries.projection';
import { ListDeliveries, ReplayDelivery, type DeliveriesPage } from './deliveries.query';

@QueryHandler(ListDeliveries)
export class ListDeliveriesHandler implements IQueryHandler<ListDeliveries> {
  constructor(private readonly reads: ReadModels) {}

  async execute({ siteId, page: { limit, cursor, notificationId, minPosition } }: ListDeliveries): Promise<DeliveriesPage> {
    if (minPosition !== undefined) await this.reads.reached(deliveryAttempts, minPosition);
    const page = await this.reads.list(deliveryAttempts, { siteId, where: equalTo({ notificationId }), sort: { field: 'at', direction: 'desc' }, limit, ...(cursor !== undefined && { cursor }) });
    return { ...page, rows: page.rows.map(({ siteId: _site, position: _position, ...row }) => row) };
  }
}

@CommandHandler(ReplayDelivery)
export class ReplayDeliveryHandler implements ICommandHandler<ReplayDelivery> {
  constructor(private readonly pool: Pool, private readonly store: EventStore) {}

  async execute({ deliveryId, siteId, now }: ReplayDelivery): Promise<Outcome<{ readonly deliveryId: string }>> {
    return (await new Outbox().replay(this.pool, siteId, deliveryId, now)) ? { ok: true, data: { deliveryId }, position: await this.store.head() } : missing();
  }
}
