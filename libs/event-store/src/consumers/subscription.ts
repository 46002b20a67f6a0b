import { Condition } from '../condition';
import type { EventStore } from '../event-store';
import type { Database } from './database';
import { Lane } from './lane';
import type { LaneSettings } from './lane-settings';
import type { Lease, Leases } from './lease';
import type { LeaseWakes } from './lease-wakes';
import { Membership } from './membership';
import { Permits } from './permits';
import { Reading } from './reading';
import { SLICES } from './slices';
import { STOP_AFTER_FIVE, type Alarm, type SubscribeOptions } from './subscribing';

export type SubscriptionParts = {
  readonly store: EventStore;
  readonly db: Database;
  readonly leases: Leases;
  readonly wakes: LeaseWakes | undefined;
  readonly alarm: (alarm: Alarm) => void;
  readonly monotonicMs: () => number;
};

/** One slice that this process holds. `stopped`: it met an event it cannot handle and keeps the lease, so that nobody else tries again. */
export type SliceStatus = { readonly slice: number; readonly position: bigint; readonly state: Lane['state'] };

/** A running durable subscription: keeps its leases, and has a lane at work for each of them. */
export class Subscription {
  private readonly lanes = new Map<number, Lane>();
  /** Lanes that finish their last batch before the lease is given back. */
  private readonly leaving = new Set<Lane>();
  /** Lanes that lost their lease with a batch in hand. Until it ends the slice is left to other processes. */
  private readonly retired = new Map<number, Promise<void>>();
  private readonly slices: readonly number[];
  private readonly membership: Membership | undefined;
  private readonly reading: Reading;
  private readonly laneSettings: Omit<LaneSettings, 'after'>;
  private readonly wakeUp = new Condition();
  private readonly stopping = new AbortController();
  private readonly stopped: Promise<void>;
  private readonly unlisten: (() => void) | undefined;
  private handingOver: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly parts: SubscriptionParts,
    private readonly options: SubscribeOptions,
  ) {
    const { store, db, leases, alarm, monotonicMs, wakes } = parts;
    const { name, filter, handler, sliced = false, batchSize = 500, gatherMs = 0, failure = STOP_AFTER_FIVE, concurrency = 4 } = options;
    this.slices = Array.from({ length: sliced ? SLICES : 1 }, (_, slice) => slice);
    this.membership = sliced ? new Membership(db, leases, name) : undefined;
    this.reading = new Reading({ store, name, filter, sliced, alarm, lanes: () => [...this.lanes.values()] });
    this.laneSettings = {
      db,
      leases,
      handler,
      batchSize,
      gatherMs,
      failure,
      alarm,
      monotonicMs,
      eventAt: async (position) => {
        for await (const [event] of store.readAll(position - 1n, { pageSize: 1 })) return event;
        return undefined;
      },
      permits: new Permits(concurrency),
      reread: () => this.reading.restart(),
      progressed: () => this.reading.progressed(),
      lapsed: this.wake,
    };
    this.unlisten = wakes?.on(name, this.wake);
    this.stopped = this.run();
  }

  get name() {
    return this.options.name;
  }

  /** The slices held by this process, each with its checkpoint. Empty: standing by. */
  status(): readonly SliceStatus[] {
    return [...this.lanes.values()].map(({ lease: { slice }, position, state }) => ({ slice, position, state }));
  }

  /** Lets the batches in hand finish, gives the leases back and wakes whoever stands by. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.stopped;
  }

  private readonly wake = () => this.wakeUp.notifyAll();

  private async run(): Promise<void> {
    const { leases, wakes } = this.parts;
    let registered = false;
    while (!this.stopping.signal.aborted) {
      const seen = this.wakeUp.changes;
      let retryMs = leases.ttlMs / 3;
      try {
        if (!registered) await leases.register(this.name, this.slices, this.options.from ?? 0n);
        registered = true;
        wakes?.listen();
        retryMs = await this.holdShare();
      } catch (error) {
        this.interrupted(error);
      }
      await this.wakeUp.after(seen, { ms: retryMs, signal: this.stopping.signal });
    }
    await this.leave();
  }

  /** Renews what is held, makes room for others, takes what is free up to the fair share. Returns when to look again. */
  private async holdShare(): Promise<number> {
    const { leases, monotonicMs } = this.parts;
    const members = (await this.membership?.announce()) ?? 1;
    await this.renew();
    const share = Math.ceil(this.slices.length / members);
    const working = [...this.lanes.values()].filter((lane) => !this.leaving.has(lane));
    if (working.length > share) this.handOver(working.slice(share));
    if (working.length < share) {
      const claimedAt = monotonicMs();
      const claimed = await leases.claim(
        this.name,
        this.slices.filter((slice) => !this.retired.has(slice)),
        share - working.length,
      );
      for (const lease of claimed) this.open(lease, claimedAt + leases.ttlMs);
      if (claimed.length > 0) this.reading.restart();
    }
    return this.lanes.size < this.slices.length ? leases.retryInMs(this.name) : leases.ttlMs / 3;
  }

  private async renew(): Promise<void> {
    const { leases, monotonicMs } = this.parts;
    const askedAt = monotonicMs();
    const asked = [...this.lanes.values()];
    const kept = new Set(await leases.renew(asked.map(({ lease }) => lease)));
    for (const lane of asked) {
      const ended = lane.state === 'closed' && !this.leaving.has(lane);
      if (kept.has(lane.lease) && !ended) lane.renewed(askedAt + leases.ttlMs);
      else this.retire(lane);
    }
  }

  private open(lease: Lease, validUntil: number) {
    const former = this.lanes.get(lease.slice);
    if (former) this.retire(former);
    this.lanes.set(lease.slice, new Lane(lease, validUntil, { ...this.laneSettings, after: this.retired.get(lease.slice) }));
  }

  private retire(lane: Lane) {
    const { slice } = lane.lease;
    lane.abandon();
    this.forget(lane);
    const settled: Promise<void> = Promise.all([this.retired.get(slice), lane.settled]).then(() => {
      if (this.retired.get(slice) !== settled) return;
      this.retired.delete(slice);
      this.wake();
    });
    this.retired.set(slice, settled);
  }

  private forget(lane: Lane) {
    this.leaving.delete(lane);
    if (this.lanes.get(lane.lease.slice) === lane) this.lanes.delete(lane.lease.slice);
  }

  private handOver(lanes: readonly Lane[]) {
    for (const lane of lanes) this.leaving.add(lane);
    const done = this.giveBack(lanes).catch((error: unknown) => this.interrupted(error));
    this.handingOver = Promise.all([this.handingOver, done]);
  }

  /** Leases that cannot be given back for want of a database run out by themselves. */
  private async giveBack(lanes: readonly Lane[]) {
    try {
      await Promise.all(lanes.map((lane) => lane.close()));
      await this.parts.leases.release(lanes.map(({ lease }) => lease));
    } finally {
      for (const lane of lanes) this.forget(lane);
    }
  }

  /** A long last batch keeps its lease until it is done. */
  private async leave() {
    this.unlisten?.();
    this.reading.stop();
    this.handOver([...this.lanes.values()].filter((lane) => !this.leaving.has(lane)));
    const done = Promise.all([this.handingOver, ...this.retired.values()]).then(this.wake);
    while (this.lanes.size > 0) {
      await this.wakeUp.after(this.wakeUp.changes, { ms: this.parts.leases.ttlMs / 3 });
      if (this.lanes.size > 0) await this.renew().catch((error: unknown) => this.interrupted(error));
    }
    await done;
    await this.membership?.leave().catch((error: unknown) => this.interrupted(error));
  }

  private interrupted(error: unknown) {
    this.parts.alarm({ kind: 'interrupted', consumer: this.name, error });
  }
}
