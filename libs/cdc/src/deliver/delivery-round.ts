import { Consumers, type Database, type Delivery, type EventStore, type Executor, type Leases, type LeaseWakes, type Subscription as Consumer, type Transaction } from '@app/event-store';
import type { Recorded } from '@app/kernel';
import { subscription, type KnownSubscription } from '../subscription.state';
import { DeliveryTable } from './delivery-table';
import { consumerOf, filterOf, retryMs } from './round.policy';
import { deliverTo, type Delivered, type TargetDeliveries } from './target-delivery';

export type DeliveryRoundParts = {
  readonly db: Database;
  readonly store: EventStore;
  readonly executor: Pick<Executor, 'current'>;
  readonly leases: Leases;
  readonly wakes?: LeaseWakes | undefined;
  readonly targets: TargetDeliveries;
  readonly onError: (error: unknown) => void;
  readonly now?: () => Date;
};

/** When it is not the receiver that failed, but the database or the vault of this server. */
const OWN_FAILURE_PAUSE_MS = 1_000;

/**
 * The deliveries of a subscription from where it was made or replayed last, one event after the other: the next is not sent before the one before was
 * taken. A consumer of the log keeps the position and decides by its lease which process delivers. Each delivery asks the log first, so nothing is sent
 * that begins after the answer to a deletion or to a replay.
 */
export class DeliveryRound {
  readonly consumer: string;
  private readonly table: DeliveryTable;
  private readonly begun: Promise<void>;
  private running: Consumer | undefined;
  private isOver = false;
  private pauseMs = OWN_FAILURE_PAUSE_MS;
  /** What is known to be in the table of troubles, while this process leads: each time it takes the lead has a signal of its own. */
  private known: { readonly lead: AbortSignal; readonly attempts: number } | undefined;

  /** Begins when the round before it has ended in this process. */
  constructor(
    private readonly parts: DeliveryRoundParts,
    private readonly of: KnownSubscription,
    before: Promise<unknown>,
  ) {
    this.consumer = consumerOf(of);
    this.table = new DeliveryTable(parts.db);
    this.begun = before.then(() => this.begin());
  }

  /** Lets the delivery in hand finish. */
  async stop(): Promise<void> {
    this.isOver = true;
    await this.begun;
    await this.running?.stop();
  }

  /** Stops for ever: the subscription was deleted, or another round has begun. */
  async end(): Promise<void> {
    await this.stop();
    await this.table.forget(this.consumer);
  }

  private begin(): void {
    if (this.isOver) return;
    const { store, db, leases, wakes, onError } = this.parts;
    const consumers = new Consumers(store, db, leases, { ...(wakes && { wakes }), onAlarm: ({ error }) => onError(error) });
    this.running = consumers.subscribe({
      name: this.consumer,
      from: BigInt(this.of.fromPosition) - 1n,
      filter: filterOf(this.of),
      batchSize: 1,
      failure: { attempts: Infinity, delayMs: () => this.pauseMs, then: 'stop' },
      handler: ([event], tx, delivery) => this.deliver(event!, tx, delivery),
    });
  }

  private async deliver(event: Recorded, _tx: Transaction, { signal: lead }: Delivery): Promise<void> {
    this.pauseMs = OWN_FAILURE_PAUSE_MS;
    try {
      const delivered = await this.send(event, lead);
      if (delivered?.ok) return await this.recovered(lead);
      if (delivered) await this.failed(event, delivered, lead);
    } catch (error) {
      this.parts.onError(error);
      throw error;
    }
    throw new Error(`Subscription ${this.of.subscriptionId} does not take ${event.eventId} now.`);
  }

  /** Undefined when this round is over, which whoever runs it will hear in a moment. */
  private async send(event: Recorded, lead: AbortSignal): Promise<Delivered | undefined> {
    const { executor, targets } = this.parts;
    const { state } = await executor.current(subscription, this.of.subscriptionId);
    if (state.status !== 'live' || state.replays !== this.of.replays) return undefined;
    return deliverTo(targets, state, event, lead);
  }

  /** Once at the beginning of a lead, because there may have been trouble under another, and then after trouble alone. */
  private async recovered(lead: AbortSignal): Promise<void> {
    if (this.known?.lead === lead && this.known.attempts === 0) return;
    await this.table.recovered(this.consumer);
    this.known = { lead, attempts: 0 };
  }

  private async failed({ eventId }: Recorded, { code, detail }: Extract<Delivered, { ok: false }>, lead: AbortSignal): Promise<void> {
    const { now = () => new Date() } = this.parts;
    const attempts = (this.known?.lead === lead ? this.known.attempts : await this.attemptsBefore(eventId)) + 1;
    this.known = { lead, attempts };
    this.pauseMs = retryMs(attempts);
    const at = now();
    await this.table.failed(this.consumer, { attempts, lastError: { code, detail, eventId, at: at.toISOString() }, nextAttemptAt: new Date(at.getTime() + this.pauseMs).toISOString() });
  }

  /** Under another lead, in this process or in one that is gone. */
  private async attemptsBefore(eventId: string): Promise<number> {
    const trouble = await this.table.trouble(this.consumer);
    return trouble?.lastError.eventId === eventId ? trouble.attempts : 0;
  }
}
