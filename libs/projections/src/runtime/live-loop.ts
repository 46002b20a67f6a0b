import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore } from '@app/event-store';
import type { Recorded } from '@app/kernel';
import type { AnyProjection } from '../projection';
import type { ProjectionProgress } from '../progress';
import { quoted, shapeOf } from '../table/shape';
import { TableWriter } from '../table/writer';
import type { Checkpoint, IdleCheckpoints } from './checkpoint';
import { tableOf, type Generation, type Queries } from './generations';
import { PoisonEvent, RowBuffer } from './row-buffer';

/** The checkpoint moved without us: another process leads now, or the generation was swapped, paused or cancelled. */
export class LeaseLost extends Error {
  constructor({ name, generation }: Pick<Generation, 'name' | 'generation'>) {
    super(`Generation ${generation} of ${name} is no longer led by this process`);
    this.name = 'LeaseLost';
  }
}

/** Told of the events that a read model has just taken in; `startedAt` is in milliseconds since 1970. It must be quick and must not throw. */
export type ProjectionObserver = (projection: string, events: readonly Recorded[], startedAt: number) => void;

export type LiveDependencies = {
  readonly db: Queries;
  readonly store: EventStore;
  readonly idle: IdleCheckpoints;
  readonly progress: ProjectionProgress;
  readonly observer?: ProjectionObserver | undefined;
};

const BATCH = 1_000;
/**
 * After it wrote, a loop lets events come together for 5 ms, or for as long as the writing took where that is slow: the commits of a call,
 * and the calls of many clients, become one transaction of a read model instead of one each. A loop that was idle never waits.
 */
const GATHER_MS = { least: 5, most: 25 };
const ROWS_KEPT = 5_000;
/** A table that has grown since it was analysed last is planned for as if it were small; autovacuum comes by once a minute. */
const ANALYSE = { first: 2_000, last: 500_000 };

/** SQLSTATE classes that blame the data: a value out of range, text that is no number, a violated constraint. */
export const blamesData = (error: unknown) => /^(22|23)/.test((error as { code?: string }).code ?? '');

/**
 * Keeps the rows of one serving generation up with the log: a batch of at most 1 000 events, its rows and its checkpoint are one
 * transaction. Runs until the signal aborts; ends by throwing `PoisonEvent`, `LeaseLost` or what the database said.
 */
export class LiveLoop {
  private rows: RowBuffer;
  private readonly writer: TableWriter;
  private readonly checkpoint: Checkpoint;
  private readonly lost = new AbortController();
  private gatherUntil = 0;
  private taken = 0;
  private analyseAt = ANALYSE.first;

  constructor(
    private readonly p: AnyProjection,
    private readonly of: Generation,
    private readonly skipped: ReadonlySet<bigint>,
    private readonly use: LiveDependencies,
  ) {
    const table = tableOf(of);
    this.writer = new TableWriter(shapeOf(p), table, `${table} ${of.generation}`);
    this.rows = new RowBuffer(p, ROWS_KEPT);
    this.checkpoint = { of, stored: of.position, reached: of.position, onLost: () => this.lost.abort(new LeaseLost(of)) };
  }

  async run(signal: AbortSignal): Promise<void> {
    this.use.progress.advance(this.p.name, this.of.position);
    const ended = AbortSignal.any([signal, this.lost.signal]);
    for await (const page of this.use.store.follow(this.of.position, { signal: ended, pageSize: BATCH })) {
      for (let from = 0; from < page.length; from += BATCH) {
        if (ended.aborted) break;
        await this.take(page.slice(from, from + BATCH));
      }
      if (ended.aborted) break;
      await this.gather(ended);
      if (ended.aborted) break;
    }
    this.lost.signal.throwIfAborted();
  }

  private async gather(signal: AbortSignal) {
    const ms = this.gatherUntil - performance.now();
    if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined);
  }

  private async take(batch: readonly Recorded[]) {
    const last = batch.at(-1);
    if (!last) return;
    const relevant = batch.filter((event) => this.rows.concerns(event) && !this.skipped.has(event.position));
    if (relevant.length > 0) {
      const startedAt = Date.now();
      const from = performance.now();
      await this.write(relevant, last.position);
      const now = performance.now();
      this.gatherUntil = now + Math.min(GATHER_MS.most, Math.max(GATHER_MS.least, now - from));
      this.use.observer?.(this.p.name, relevant, startedAt);
      this.analyse(relevant.length);
    } else {
      this.checkpoint.reached = last.position;
      this.use.idle.note(this.checkpoint);
    }
    this.use.progress.advance(this.p.name, last.position);
  }

  /** After as many events again as there were before, so that a bulk of new rows is planned for while it comes in. Nobody waits for it. */
  private analyse(events: number) {
    this.taken += events;
    if (this.taken < this.analyseAt) return;
    this.analyseAt = this.taken < ANALYSE.last ? this.taken * 2 : Infinity;
    this.use.db.query(`ANALYZE ${quoted(tableOf(this.of))}`).catch(() => undefined);
  }

  private async write(events: readonly Recorded[], to: bigint) {
    try {
      await this.transact(events, to);
    } catch (error) {
      if (!blamesData(error)) throw error;
      // The database refused a row of the batch: event by event the good ones get through and the culprit is found.
      for (const event of events) {
        await this.transact([event], event.position).catch((cause: unknown) => {
          throw blamesData(cause) ? new PoisonEvent(event.position, event.type, cause) : cause;
        });
      }
      await this.transact([], to);
    }
  }

  private async transact(events: readonly Recorded[], to: bigint) {
    try {
      const missing = this.rows.missing(events);
      if (missing.length > 0) this.rows.loaded(missing, await this.writer.load(this.use.db, missing));
      const poison = this.fold(events);
      await this.store(poison ? poison.position - 1n : to);
      if (poison) throw poison;
    } catch (error) {
      this.rows = new RowBuffer(this.p, ROWS_KEPT);
      throw error;
    }
  }

  /** Events before a poisonous one are kept: the projection stops right in front of it. */
  private fold(events: readonly Recorded[]): PoisonEvent | undefined {
    for (const event of events) {
      try {
        this.rows.apply(event);
      } catch (error) {
        if (error instanceof PoisonEvent) return error;
        throw error;
      }
    }
    return undefined;
  }

  private async store(to: bigint) {
    await this.use.idle.claim(this.checkpoint);
    if (to <= this.checkpoint.stored) return;
    if (!(await this.writer.commit(this.use.db, this.of, this.checkpoint.stored, to, this.rows.pending()))) throw new LeaseLost(this.of);
    this.rows.settle();
    this.checkpoint.stored = this.checkpoint.reached = to;
  }
}
