import type { Connection } from '@app/database';
import type { EventStore } from '@app/event-store';
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { ProjectionProgress } from '../progress';
import type { AnyProjection } from '../projection';
import { shapeOf } from '../table/shape';
import { Build } from './build';
import { CAREFUL, readTogether, takeOver } from './builder';
import { IdleCheckpoints } from './checkpoint';
import { Doorbell } from './doorbell';
import { CHANNEL, declare, lease, recordStop, release, type Generation } from './generations';
import { blamesData, LeaseLost, LiveLoop } from './live-loop';
import { relaxedPool } from './pool';
import { PoisonEvent } from './row-buffer';
import { skippedBy } from './skips';
import { keyOf, Tasks } from './tasks';

/** A projection stopped in front of an event that its handler, or the database, refuses. */
export type ProjectionAlarm = { readonly projection: string; readonly generation: number; readonly position: bigint; readonly error: string };

export type ProjectionsRuntimeOptions = {
  readonly connection: Connection;
  readonly store: EventStore;
  readonly projections: readonly AnyProjection[];
  /** Shared with the read models of the same process, so that they wait without asking the database. */
  readonly progress?: ProjectionProgress;
  readonly onAlarm?: (alarm: ProjectionAlarm) => void;
  /** Trouble that the runtime gets over by itself, such as a lost connection. */
  readonly onError?: (error: unknown) => void;
  /** How long a dead process keeps its projections from the others; it is renewed three times in that time. Default 10 000. */
  readonly leaseMs?: number;
};

/** Beyond this many events a serving read model catches up in bulk: one reader for all of them, bigger transactions. */
const BULK_LAG = 10_000n;
/** Pause before a loop that failed is started again. */
const RETRY_MS = 100;
/** Rows that all builds of a process may keep in memory together, about 1 kB each. */
const BUILD_ROWS = 200_000;

/**
 * Keeps the read models up with the log: one loop per projection, led by the one process that holds its lease.
 * A tick renews leases, reads what operators ordered, and starts or ends loops and builds to match; announcements only hasten it.
 */
export class ProjectionsRuntime {
  readonly progress: ProjectionProgress;
  private readonly pool: Pool;
  private readonly owner = randomUUID();
  private readonly tasks = new Tasks();
  private readonly idle: IdleCheckpoints;
  private readonly doorbell: Doorbell;
  private readonly suspects = new Set<string>();
  private readonly careful = new Set<string>();
  private readonly leaseMs: number;
  private timer: NodeJS.Timeout | undefined;
  private ticking: Promise<void> | undefined;
  private again = false;
  private stopping = false;

  constructor(private readonly options: ProjectionsRuntimeOptions) {
    for (const p of options.projections) shapeOf(p);
    if (new Set(options.projections.map(({ name }) => name)).size < options.projections.length) throw new Error('Two projections share a name');
    this.progress = options.progress ?? new ProjectionProgress();
    this.leaseMs = options.leaseMs ?? 10_000;
    this.pool = relaxedPool(options.connection, 6);
    this.idle = new IdleCheckpoints(this.pool, (error) => this.report(error));
    this.doorbell = new Doorbell(options.connection, CHANNEL, () => this.wake());
  }

  /** Resolves when every projection has its table and this process leads what nobody else leads. */
  async start(): Promise<void> {
    await this.doorbell.ensure();
    const first = this.tick();
    this.follow(first);
    await first;
  }

  /** Finishes the transactions under way and gives the leases back. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer);
    await this.ticking;
    await this.tasks.keepOnly([]);
    await this.idle.flush();
    await release(this.pool, this.owner).catch((error: unknown) => this.report(error));
    await this.doorbell.close();
    await this.pool.end();
  }

  private schedule(afterMs = Math.min(1_000, this.leaseMs / 3)) {
    clearTimeout(this.timer);
    if (!this.stopping) this.timer = setTimeout(() => this.wake(), afterMs);
  }

  private wake() {
    if (this.stopping) return;
    if (this.ticking) this.again = true;
    else this.follow(this.tick());
  }

  /** One tick at a time: two would start everything twice. */
  private follow(tick: Promise<void>) {
    clearTimeout(this.timer);
    this.ticking = tick
      .catch((error: unknown) => this.report(error))
      .finally(() => {
        this.ticking = undefined;
        if (this.again) this.wake();
        else this.schedule();
      });
  }

  private async tick() {
    this.again = false;
    const { projections, store } = this.options;
    const head = await store.head();
    await declare(this.pool, projections, head);
    const suspects = [...this.suspects];
    const led = await lease(this.pool, projections, this.owner, this.leaseMs, suspects);
    for (const key of suspects) this.suspects.delete(key);
    const runnable = led.filter(({ state }) => state === 'running');
    await this.tasks.keepOnly(runnable);
    await this.startMissing(runnable.filter((of) => !this.tasks.has(of)), head);
    await this.doorbell.ensure();
  }

  private async startMissing(missing: readonly Generation[], head: bigint) {
    if (missing.length === 0) return;
    const skipped = await skippedBy(this.pool, this.options.projections);
    const work = missing.map((of) => ({ of, p: this.options.projections.find(({ name }) => name === of.name)! }));
    const bulk = work.filter(({ of }) => of.role === 'building' || head - of.position > BULK_LAG);
    for (const { of, p } of work.filter((each) => !bulk.includes(each))) {
      const use = { db: this.pool, store: this.options.store, idle: this.idle, progress: this.progress };
      this.tasks.start(of, (signal) => this.watched(of, signal, new LiveLoop(p, of, skipped(of), use).run(signal)));
    }
    const careful = bulk.filter(({ of }) => this.careful.delete(keyOf(of)));
    this.startBuilds(bulk.filter((each) => !careful.includes(each)), skipped);
    for (const each of careful) this.startBuilds([each], skipped, CAREFUL);
  }

  private startBuilds(
    work: readonly { readonly of: Generation; readonly p: AnyProjection }[],
    skipped: (of: Generation) => ReadonlySet<bigint>,
    pace?: typeof CAREFUL,
  ) {
    if (work.length === 0) return;
    const ends = new Map<Build, PromiseWithResolvers<void>>();
    for (const { of, p } of work) {
      const end = Promise.withResolvers<void>();
      this.tasks.start(of, (signal) => {
        ends.set(new Build(p, of, skipped(of), Math.floor(BUILD_ROWS / work.length), signal), end);
        return this.watched(of, signal, end.promise);
      });
    }
    void this.build(ends, pace);
  }

  private async build(ends: ReadonlyMap<Build, PromiseWithResolvers<void>>, pace?: typeof CAREFUL) {
    const use = { pool: this.pool, store: this.options.store };
    const fail = (build: Build, error: unknown) =>
      ends.get(build)!.reject(pace && blamesData(error) ? new PoisonEvent(build.position, 'Event', error) : error);
    try {
      for (const build of await readTogether([...ends.keys()], use, fail, pace)) {
        const finished = build.of.role === 'building' ? takeOver(build, use) : Promise.resolve();
        await finished.then(() => ends.get(build)!.resolve(), (error: unknown) => fail(build, error));
      }
    } catch (error) {
      for (const build of ends.keys()) fail(build, error);
    }
  }

  /** Sees to the end of a loop or a build, whatever it is; never rejects. */
  private async watched(of: Generation, signal: AbortSignal, work: Promise<void>) {
    try {
      await work;
    } catch (error) {
      if (error instanceof PoisonEvent) await this.raise(of, error).catch((cause: unknown) => this.report(cause));
      else if (!(signal.aborted || error instanceof LeaseLost || wasDropped(of, error))) {
        // Whether the last write happened is unknown: the next lease comes with a new fence, and the position is read again.
        this.suspects.add(keyOf(of));
        if (blamesData(error)) this.careful.add(keyOf(of));
        this.report(error);
        this.schedule(RETRY_MS);
        return;
      }
    } finally {
      if (of.role === 'serving') this.progress.forget(of.name);
    }
    // After a swap, a stop or a lost lease there may be something to do at once; `tasks` must have seen the end first.
    setImmediate(() => this.wake());
  }

  private async raise(of: Generation, { position, message }: PoisonEvent) {
    await recordStop(this.pool, of, message, position);
    this.options.onAlarm?.({ projection: of.name, generation: of.generation, position, error: message });
  }

  private report(error: unknown) {
    this.options.onError?.(error);
  }
}

/** A cancelled rebuild loses its table first and its checkpoint right after. */
const wasDropped = ({ role }: Generation, error: unknown) => role === 'building' && (error as { code?: string }).code === '42P01';
