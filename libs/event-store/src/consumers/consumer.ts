import type { EventStore } from '../event-store';
import type { Database } from './database';
import type { Leases } from './lease';
import type { LeaseWakes } from './lease-wakes';
import { describeAlarm, type Alarm, type SubscribeOptions } from './subscribing';
import { Subscription } from './subscription';

export type ConsumersOptions = {
  readonly wakes?: LeaseWakes;
  /** For subscriptions that name no alarm of their own; by default a process warning. */
  readonly onAlarm?: (alarm: Alarm) => void;
  readonly monotonicMs?: () => number;
};

/** The durable subscriptions of this process. Checkpoints and leases live in `db`, beside whatever the handlers write there. */
export class Consumers {
  private readonly subscriptions = new Set<Subscription>();

  constructor(
    private readonly store: EventStore,
    private readonly db: Database,
    private readonly leases: Leases,
    private readonly options: ConsumersOptions = {},
  ) {}

  /**
   * Delivers the log to a handler: first history from the stored checkpoint, then new events as they are committed, without a hole or a
   * repeat at the hand-over. Runs until `stop`, in whichever process holds the lease.
   */
  subscribe(options: SubscribeOptions): Subscription {
    const { wakes, onAlarm = warn, monotonicMs = () => performance.now() } = this.options;
    const alarm = options.onAlarm ?? onAlarm;
    const parts = {
      store: this.store,
      db: this.db,
      leases: this.leases,
      wakes,
      monotonicMs,
      alarm: (a: Alarm) => queueMicrotask(() => alarm(a)),
    };
    const subscription = new Subscription(parts, options);
    this.subscriptions.add(subscription);
    return subscription;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.subscriptions].map((subscription) => subscription.stop()));
    this.subscriptions.clear();
  }
}

const warn = (alarm: Alarm) => process.emitWarning(describeAlarm(alarm), { code: `CONSUMER_${alarm.kind.toUpperCase()}` });
