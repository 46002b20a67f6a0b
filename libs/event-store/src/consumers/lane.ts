import { setTimeout as sleep } from 'node:timers/promises';
import type { Recorded } from '@app/kernel';
import { Condition } from '../condition';
import { deliver, type Batch, type Outcome } from './delivery';
import type { LaneSettings } from './lane-settings';
import { advance, type Lease } from './lease';
import { park } from './parked-events';
import { retryParked } from './retry-parked';

/** A checkpoint that moved over events that were nobody's business is stored so much later, together with all that followed. */
const SAVE_AFTER_MS = 1_000;

/** A held slice at work: events queue up, one batch at a time is handled, the checkpoint follows. */
export class Lane {
  /** Everything up to here is queued, handled, or not for this lane. */
  scanned: bigint;
  state: 'running' | 'reloading' | 'stopped' | 'closed' = 'running';
  private stored: bigint;
  /** Up to here every event was handled; the stored checkpoint may be behind it when nothing came of them. */
  private passed: bigint;
  private queue: Recorded[] = [];
  private attempts = 0;
  /** After a failed batch its events come one by one, so that the failing one is known by name. */
  private singles = 0;
  private saving = false;
  /** Whether parked events have to be looked for: at the start, and whenever the lease is renewed. */
  private looking = true;
  private saver: NodeJS.Timeout | undefined;
  /** Until then (monotonic ms) nobody else can hold the lease. */
  private validUntil = 0;
  private expiry: NodeJS.Timeout | undefined;
  private readonly changed = new Condition();
  private readonly abandoned = new AbortController();
  private readonly ending = new AbortController();
  readonly settled: Promise<void>;

  constructor(
    readonly lease: Lease,
    validUntil: number,
    private readonly settings: LaneSettings,
  ) {
    this.scanned = this.stored = this.passed = lease.position;
    this.extend(validUntil);
    this.settled = this.work();
  }

  get wantsEvents() {
    return this.state === 'running';
  }

  get full() {
    return this.wantsEvents && this.queue.length >= 2 * this.settings.batchSize;
  }

  /** The checkpoint as stored. */
  get position() {
    return this.stored;
  }

  /** Takes the lane's share of a page that was read up to `scanned`. */
  offer(events: readonly Recorded[], scanned: bigint): void {
    if (!this.wantsEvents || scanned <= this.scanned) return;
    for (const event of events) if (event.position > this.scanned) this.queue.push(event);
    this.scanned = scanned;
    if (this.queue.length > 0) this.changed.notifyAll();
  }

  renewed(validUntil: number): void {
    this.extend(validUntil);
    this.saving = this.looking = true;
    this.changed.notifyAll();
  }

  /** A lease that could not be renewed in time ends the lane by itself: somebody else may hold it from then on. */
  private extend(validUntil: number) {
    this.validUntil = validUntil;
    clearTimeout(this.expiry);
    this.expiry = setTimeout(() => this.lapse(), Math.max(0, validUntil - this.settings.monotonicMs())).unref();
  }

  /** Finishes the batch in hand; its effects and checkpoint count. */
  async close(): Promise<void> {
    this.end();
    await this.settled;
    const { db, monotonicMs } = this.settings;
    // Where it cannot be stored, events that came to nothing come to nothing again.
    if (this.passed > this.stored && !this.abandoned.signal.aborted && monotonicMs() < this.validUntil) await advance(db, this.lease, this.stored, this.passed).catch(() => false);
    clearTimeout(this.expiry);
  }

  /** The lease is gone: the batch in hand will not count. */
  abandon(): void {
    clearTimeout(this.expiry);
    this.abandoned.abort();
    this.end();
  }

  private lapse() {
    this.abandon();
    this.settings.lapsed();
  }

  private end() {
    this.state = 'closed';
    this.queue = [];
    clearTimeout(this.saver);
    this.ending.abort();
    this.changed.notifyAll();
    this.settings.progressed();
  }

  private async work() {
    await this.settings.after;
    while (this.is('running')) {
      if (this.looking && this.settings.failure.then === 'park') await this.lookForParked();
      // It may have been closed meanwhile, and then nobody would wake it.
      if (!this.is('running')) return;
      if (!this.due()) {
        await this.changed.after(this.changed.changes);
        continue;
      }
      if (this.queue.length > 0) await this.gather();
      const attempt = await this.settings.permits.run(() => this.attempt());
      if (attempt) await this.conclude(attempt.batch, attempt.outcome);
    }
  }

  private async lookForParked(): Promise<void> {
    this.looking = false;
    await this.settings.permits.run(() => retryParked(this.settings, { lease: this.lease, at: this.stored, signal: this.abandoned.signal, goesOn: () => this.is('running') }));
  }

  /** Lets company come in, where the consumer has the time: until a batch is full, or its first event has waited long enough. */
  private async gather(): Promise<void> {
    const { gatherMs, batchSize, monotonicMs } = this.settings;
    const until = monotonicMs() + gatherMs;
    while (this.due() && this.singles === 0 && this.attempts === 0 && this.queue.length < batchSize) {
      const ms = until - monotonicMs();
      if (ms <= 0) return;
      await this.changed.after(this.changed.changes, { ms });
    }
  }

  private due(): boolean {
    const work = this.queue.length > 0 || (this.saving && this.scanned > this.stored);
    return work && this.is('running') && this.settings.monotonicMs() < this.validUntil;
  }

  private async attempt(handler = this.settings.handler) {
    if (!this.due()) return undefined;
    const { db, batchSize, leases } = this.settings;
    const events = this.queue.slice(0, this.singles > 0 ? 1 : batchSize);
    const batch = { events, from: this.stored, to: events.length === this.queue.length ? this.scanned : events.at(-1)!.position };
    this.saving = false;
    return { batch, outcome: await deliver(db, handler, this.lease, batch, this.abandoned.signal, leases.ttlMs) };
  }

  private async conclude(batch: Batch, outcome: Outcome): Promise<void> {
    if (outcome.kind === 'done') this.handled(batch);
    else if (outcome.kind === 'passed') this.pass(batch);
    else if (!this.is('running')) return;
    else if (outcome.kind === 'failed' && batch.events.length > 0) await this.failed(batch, outcome.error);
    else await this.reload(outcome);
  }

  private handled(batch: Batch) {
    this.stored = batch.to;
    this.pass(batch);
  }

  private pass({ events, to }: Batch) {
    this.passed = to;
    if (to > this.stored) this.saveLater();
    this.attempts = 0;
    this.singles = Math.max(0, this.singles - events.length);
    this.queue.splice(0, events.length);
    this.settings.progressed();
  }

  private saveLater() {
    if (!this.is('running')) return;
    this.saver ??= setTimeout(() => {
      this.saver = undefined;
      this.saving = true;
      this.changed.notifyAll();
    }, SAVE_AFTER_MS).unref();
  }

  private async failed({ events }: Batch, error: unknown) {
    const { failure, alarm } = this.settings;
    if (events.length > 1) {
      this.singles = events.length;
      return;
    }
    if (++this.attempts < failure.attempts) return this.pause(failure.delayMs(this.attempts));
    alarm({
      kind: 'poison',
      consumer: this.lease.name,
      slice: this.lease.slice,
      event: events[0]!,
      attempts: this.attempts,
      action: failure.then,
      error,
    });
    if (failure.then !== 'stop') return this.passOver(events[0]!, error);
    this.state = 'stopped';
    this.queue = [];
    this.settings.progressed();
  }

  /** The checkpoint moves over the first event, the handler is not asked. */
  private async passOver(event: Recorded, error: unknown) {
    this.singles = Math.max(1, this.singles);
    const attempts = this.attempts;
    const attempt = await this.attempt(async (_, tx) => {
      if (this.settings.failure.then === 'park') await park(tx, this.lease, event, attempts, error);
    });
    if (attempt) await this.conclude(attempt.batch, attempt.outcome);
    else this.attempts = 0;
  }

  /** The database alone knows where we are: a lost connection may have lost the commit or only its answer. */
  private async reload(outcome: Outcome) {
    const { leases, alarm, reread, progressed } = this.settings;
    this.state = 'reloading';
    this.queue = [];
    progressed();
    if ('error' in outcome) alarm({ kind: 'interrupted', consumer: this.lease.name, slice: this.lease.slice, error: outcome.error });
    for (let attempt = 1; this.is('reloading'); attempt++) {
      const position = await leases.position(this.lease).catch(() => undefined);
      if (!this.is('reloading')) return;
      if (position === null) this.lapse();
      else if (position === undefined) await this.pause(Math.min(1_000, 20 * 2 ** attempt));
      else {
        this.scanned = this.stored = this.passed = position;
        this.attempts = this.singles = 0;
        this.state = 'running';
        reread();
      }
    }
  }

  private is(state: Lane['state']) {
    return this.state === state;
  }

  private pause(ms: number) {
    return sleep(ms, undefined, { signal: this.ending.signal }).catch(() => undefined);
  }
}
