import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { EventStore, Executor } from '@app/event-store';
import type { Outcome } from '@app/kernel';
import { ReadModels } from '@app/projections';
import { Pool } from 'pg';
import { consumerOf, filterOf } from '../deliver/round.policy';
import { DeliveryTable } from '../deliver/delivery-table';
import { liveSubscription } from '../live-subscription.policy';
import { subscription, type KnownSubscription } from '../subscription.state';
import { GetSubscriptionStatus, ListSubscriptions } from './subscription-queries.query';
import { subscriptionView, type SubscriptionStatus } from './subscription.view';
import { subscriptions } from './subscriptions.projection';

@QueryHandler(ListSubscriptions)
export class ListSubscriptionsHandler implements IQueryHandler<ListSubscriptions> {
  constructor(private readonly reads: ReadModels) {}

  async execute({ siteId, page: { limit, cursor, minPosition } }: ListSubscriptions) {
    if (minPosition !== undefined) await this.reads.reached(subscriptions, minPosition);
    const page = await this.reads.list(subscriptions, { siteId, limit, ...(cursor !== undefined && { cursor }) });
    return { ...page, rows: page.rows.flatMap(({ subscription: state }) => (state.status === 'none' ? [] : [subscriptionView(state)])) };
  }
}

/** More is not counted: one page of the log, and no longer than somebody waits who only looks. */
const MOST_COUNTED = 1_000;
const COUNT_WITHIN_MS = 500;

@QueryHandler(GetSubscriptionStatus)
export class GetSubscriptionStatusHandler implements IQueryHandler<GetSubscriptionStatus> {
  private readonly deliveries: DeliveryTable;

  constructor(
    private readonly executor: Executor,
    private readonly store: EventStore,
    pool: Pool,
  ) {
    this.deliveries = new DeliveryTable(pool);
  }

  /** From the log and the checkpoint themselves, so that a subscription can be looked at as soon as it was made. */
  async execute({ subscriptionId, siteId }: GetSubscriptionStatus): Promise<Outcome<SubscriptionStatus>> {
    const { state, position: at } = await this.executor.current(subscription, subscriptionId);
    const found = liveSubscription(state, siteId);
    if (!found.ok) return found;
    const position = (await this.deliveries.position(consumerOf(found.subscription))) ?? BigInt(found.subscription.fromPosition) - 1n;
    const trouble = await this.deliveries.trouble(consumerOf(found.subscription));
    const lag = await this.lag(found.subscription, position);
    const status = trouble ? 'retrying' : lag === 0 ? 'idle' : 'delivering';
    const data: SubscriptionStatus = {
      ...subscriptionView(found.subscription), status, position: String(position), lag,
      attempts: trouble?.attempts ?? 0, lastError: trouble?.lastError ?? null, nextAttemptAt: trouble?.nextAttemptAt ?? null,
    };
    return { ok: true, data, position: at };
  }

  private async lag(known: KnownSubscription, position: bigint): Promise<number | null> {
    const signal = AbortSignal.timeout(COUNT_WITHIN_MS);
    let count = 0;
    for await (const page of this.store.readAll(position, { filter: filterOf(known), pageSize: MOST_COUNTED, signal })) {
      count += page.length;
      if (count >= MOST_COUNTED) return MOST_COUNTED;
    }
    return signal.aborted ? null : count;
  }
}
