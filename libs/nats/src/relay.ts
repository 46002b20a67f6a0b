import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, EventStore, Lease, Leases, LeaseWakes } from '@app/event-store';
import { StoredCheckpoint } from './checkpoint';
import { EventStream, StreamMoved, type EventShapes } from './event-stream';
import type { NatsLink } from './nats-link';
import { ForeignStream, Publishing } from './publishing';
import { untilAborted } from './until-aborted';

export type RelayOptions = {
  readonly db: Database;
  readonly store: EventStore;
  readonly leases: Leases;
  readonly wakes?: LeaseWakes | undefined;
  readonly link: NatsLink;
  readonly shapes: EventShapes;
  readonly onError: (error: unknown) => void;
};

/** Names the checkpoint and the lease; its lag is shown as that of the relay. */
export const RELAY = 'relay';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 10_000;
/** For the acknowledgements of what is under way when the relay is told to stop. */
const SETTLE_MS = 1_000;

/**
 * Publishes the log to JetStream: every event, in the order of the log, at least once. One process does at a time: a lease keeps the checkpoint, and
 * the stream keeps the order, because every message names the one it must follow. A message of a process that has lost the lease without knowing
 * is thus refused, or is the very message that is due.
 */
export class Relay {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: RelayOptions) {}

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { leases, wakes, onError } = this.options;
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        const lease = await leases.acquire(RELAY);
        if (lease) await this.lead(lease);
        else await this.standBy(await leases.retryInMs(RELAY), wakes);
      } catch (error) {
        onError(error);
        await this.pause(1_000);
      }
    }
  }

  private async standBy(ms: number, wakes: LeaseWakes | undefined): Promise<void> {
    const woken = new AbortController();
    const off = wakes?.on(RELAY, () => woken.abort());
    await sleep(ms, undefined, { signal: AbortSignal.any([woken.signal, this.stopping.signal]) }).catch(() => undefined);
    off?.();
  }

  private async lead(lease: Lease): Promise<void> {
    const { db, leases, onError } = this.options;
    const deposed = new AbortController();
    const signal = AbortSignal.any([this.stopping.signal, deposed.signal]);
    const checkpoint = new StoredCheckpoint(db, lease, () => deposed.abort(), onError);
    const kept = this.keep(lease, deposed, signal);
    await this.publish(checkpoint, signal);
    deposed.abort();
    checkpoint.end();
    await kept;
    if (!this.stopping.signal.aborted) return;
    await checkpoint.flush();
    await leases.release([lease]).catch(onError);
  }

  /** Three renewals a lease. By its own clock the process knows when the lease may be another's, also while the database is away. */
  private async keep(lease: Lease, deposed: AbortController, signal: AbortSignal): Promise<void> {
    const { leases, onError } = this.options;
    let until = performance.now() + leases.ttlMs;
    while (await sleep(leases.ttlMs / 3, true, { signal }).catch(() => false)) {
      const asked = performance.now();
      const held = await leases.renew([lease]).catch((error: unknown) => void onError(error));
      if (held && held.length > 0) until = asked + leases.ttlMs;
      if (held?.length === 0 || performance.now() >= until) return deposed.abort();
    }
  }

  private async publish(checkpoint: StoredCheckpoint, signal: AbortSignal): Promise<void> {
    const { link, store, shapes, onError } = this.options;
    for (let failures = 0; !signal.aborted; ) {
      const before = checkpoint.position;
      let interrupted: AbortSignal | undefined;
      try {
        const { connection, lost } = await link.connected(signal);
        interrupted = lost;
        const ending = AbortSignal.any([signal, lost]);
        const stream = await untilAborted(EventStream.open(connection, shapes), ending);
        const publishing = new Publishing({ store, stream, acknowledged: (position) => checkpoint.reach(position) });
        await publishing.run(checkpoint.position, ending);
        if (this.stopping.signal.aborted && !lost.aborted) await untilAborted(publishing.settled(), AbortSignal.any([lost, AbortSignal.timeout(SETTLE_MS)])).catch(() => undefined);
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        if (checkpoint.position !== before) failures = 0;
        // Another process has published: a new look at the stream tells where to go on. Nothing to tell anybody, unless it goes on for ever; and that the
        // connection is lost, the link has told.
        if (!interrupted?.aborted && (!(error instanceof StreamMoved) || failures >= 5)) onError(error);
        await this.pause(error instanceof ForeignStream ? LONGEST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures++));
      }
    }
  }

  private pause(ms: number): Promise<unknown> {
    return sleep(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
