import type { EventStore } from '@app/event-store';
import type { Pool } from 'pg';
import type { ProjectionProgress } from '../progress';
import type { AnyProjection } from '../projection';
import { Build } from './build';
import { CAREFUL, readTogether, takeOver } from './builder';
import { IdleCheckpoints } from './checkpoint';
import { recordStop, type Generation } from './generations';
import { blamesData, LeaseLost, LiveLoop, type ProjectionObserver } from './live-loop';
import { PoisonEvent } from './row-buffer';
import { skippedBy } from './skips';
import { keyOf, Tasks } from './tasks';

/** A projection stopped in front of an event that its handler, or the database, refuses. */
export type ProjectionAlarm = {
  readonly projection: string;
  readonly generation: number;
  readonly position: bigint;
  readonly error: string;
};

export type WorkersOptions = {
  readonly pool: Pool;
  /** Connections of their own: a build that copies or indexes for seconds must not keep live loops waiting. */
  readonly buildPool: Pool;
  readonly store: EventStore;
  readonly projections: readonly AnyProjection[];
  readonly progress: ProjectionProgress;
  readonly onAlarm: (alarm: ProjectionAlarm) => void;
  readonly onError: (error: unknown) => void;
  readonly observer?: ProjectionObserver | undefined;
  /** A loop or build ended: there may be something to do at once, or, after a failure, soon. */
  readonly onEnd: (failed: boolean) => void;
};

type Work = { readonly of: Generation; readonly p: AnyProjection };

/** Beyond this many events a serving read model catches up in bulk: one reader for all of them, bigger transactions. */
const BULK_LAG = 10_000n;
/** Rows that all builds of a process may keep in memory together, about 1 kB each. */
const BUILD_ROWS = 200_000;

/** The loops and builds of this process, for the generations it leads: starts the right kind of work, and sees to how it ends. */
export class Workers {
  private readonly tasks = new Tasks();
  private readonly idle: IdleCheckpoints;
  /** Generations whose last write ended unknown. */
  private readonly suspects = new Set<string>();
  /** Builds that must find the event whose row the database refuses. */
  private readonly careful = new Set<string>();

  constructor(private readonly use: WorkersOptions) {
    this.idle = new IdleCheckpoints(use.pool, use.onError);
  }

  get suspected(): readonly string[] {
    return [...this.suspects];
  }

  /** These came back with a new fence: nothing that is still under way can write any more. */
  cleared(keys: readonly string[]): void {
    for (const key of keys) this.suspects.delete(key);
  }

  /** Ends what is not led any more, starts what is led and does not run yet. */
  async match(led: readonly Generation[], head: bigint): Promise<void> {
    const runnable = led.filter(({ state }) => state === 'running');
    await this.tasks.keepOnly(runnable);
    const missing = runnable.filter((of) => !this.tasks.has(of));
    if (missing.length === 0) return;
    const skipped = await skippedBy(this.use.pool, this.use.projections);
    const work = missing.map((of) => ({ of, p: this.use.projections.find(({ name }) => name === of.name)! }));
    const bulk = work.filter(({ of }) => of.role === 'building' || head - of.position > BULK_LAG);
    for (const { of, p } of work.filter((each) => !bulk.includes(each))) {
      const { pool: db, store, progress, observer } = this.use;
      const loop = new LiveLoop(p, of, skipped(of), { db, store, idle: this.idle, progress, observer });
      this.tasks.start(of, (signal) => this.watched(of, signal, loop.run(signal)));
    }
    const careful = bulk.filter(({ of }) => this.careful.delete(keyOf(of)));
    this.startBuilds(bulk.filter((each) => !careful.includes(each)), skipped);
    for (const each of careful) this.startBuilds([each], skipped, CAREFUL);
  }

  /** Finishes the transactions under way. */
  async stop(): Promise<void> {
    await this.tasks.keepOnly([]);
    await this.idle.flush();
  }

  private startBuilds(work: readonly Work[], skipped: (of: Generation) => ReadonlySet<bigint>, pace?: typeof CAREFUL) {
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
    const fail = (build: Build, error: unknown) =>
      ends.get(build)!.reject(pace && blamesData(error) ? new PoisonEvent(build.position, 'Event', error) : error);
    const use = { pool: this.use.buildPool, store: this.use.store };
    try {
      const built = await readTogether([...ends.keys()], use, fail, pace);
      await Promise.all(built.map((build) => {
        const finished = build.of.role === 'building' ? takeOver(build, use) : Promise.resolve();
        return finished.then(() => ends.get(build)!.resolve(), (error: unknown) => fail(build, error));
      }));
    } catch (error) {
      for (const build of ends.keys()) fail(build, error);
    }
  }

  /** Sees to the end of a loop or a build, whatever it is; never rejects. */
  private async watched(of: Generation, signal: AbortSignal, work: Promise<void>) {
    let failed = false;
    try {
      await work;
    } catch (error) {
      if (error instanceof PoisonEvent) await this.raise(of, error).catch(this.use.onError);
      else if (!(signal.aborted || error instanceof LeaseLost || wasDropped(of, error))) {
        // Whether the last write happened is unknown: the next lease comes with a new fence, and the position is read again.
        this.suspects.add(keyOf(of));
        if (blamesData(error)) this.careful.add(keyOf(of));
        this.use.onError(error);
        failed = true;
      }
    } finally {
      if (of.role === 'serving') this.use.progress.forget(of.name);
    }
    // `tasks` must have seen the end before anybody looks for what to start.
    setImmediate(() => this.use.onEnd(failed));
  }

  private async raise(of: Generation, { position, message }: PoisonEvent) {
    await recordStop(this.use.pool, of, message, position);
    this.use.onAlarm({ projection: of.name, generation: of.generation, position, error: message });
  }
}

/** A cancelled rebuild loses its table first and its checkpoint right after. */
const wasDropped = ({ role }: Generation, error: unknown) => role === 'building' && (error as { code?: string }).code === '42P01';
