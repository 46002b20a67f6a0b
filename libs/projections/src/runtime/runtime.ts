import type { Connection } from '@app/database';
import type { EventStore } from '@app/event-store';
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { ProjectionProgress } from '../progress';
import type { AnyProjection } from '../projection';
import { shapeOf } from '../table/shape';
import { Doorbell } from './doorbell';
import { CHANNEL, declare, lease, release } from './generations';
import type { ProjectionObserver } from './live-loop';
import { relaxedPool } from './pool';
import { Workers, type ProjectionAlarm } from './workers';

export type ProjectionsRuntimeOptions = {
  readonly connection: Connection;
  readonly store: EventStore;
  readonly projections: readonly AnyProjection[];
  /** Shared with the read models of the same process, so that they wait without asking the database. */
  readonly progress?: ProjectionProgress;
  readonly onAlarm?: (alarm: ProjectionAlarm) => void;
  /** Trouble that the runtime gets over by itself, such as a lost connection. */
  readonly onError?: (error: unknown) => void;
  readonly observer?: ProjectionObserver | undefined;
  /** How long a dead process keeps its projections from the others; it is renewed three times in that time. Default 10 000. */
  readonly leaseMs?: number;
};

/** Pause before a loop that failed is started again. */
const RETRY_MS = 100;
const LIVE_CONNECTIONS = 5;
const BUILD_CONNECTIONS = 3;

/**
 * Keeps the read models up with the log: one loop per projection, led by the one process that holds its lease.
 * A tick renews leases, reads what operators ordered, and starts or ends loops and builds to match; announcements only hasten it.
 */
export class ProjectionsRuntime {
  readonly progress: ProjectionProgress;
  private readonly pool: Pool;
  private readonly buildPool: Pool;
  private readonly owner = randomUUID();
  private readonly workers: Workers;
  private readonly doorbell: Doorbell;
  private readonly leaseMs: number;
  private readonly report: (error: unknown) => void;
  private timer: NodeJS.Timeout | undefined;
  private ticking: Promise<void> | undefined;
  private again = false;
  private stopping = false;

  /** Throws when a declaration is wrong: a bad name, an unknown field in an index, two projections of one name. */
  constructor(private readonly options: ProjectionsRuntimeOptions) {
    const { connection, store, projections, progress = new ProjectionProgress(), leaseMs = 10_000, onAlarm, onError, observer } = options;
    for (const p of projections) shapeOf(p);
    if (new Set(projections.map(({ name }) => name)).size < projections.length) throw new Error('Two projections share a name');
    this.progress = progress;
    this.leaseMs = leaseMs;
    this.report = (error) => onError?.(error);
    this.pool = relaxedPool(connection, LIVE_CONNECTIONS);
    this.buildPool = relaxedPool(connection, BUILD_CONNECTIONS);
    this.doorbell = new Doorbell(connection, CHANNEL, () => this.wake());
    this.workers = new Workers({
      pool: this.pool, buildPool: this.buildPool, store, projections, progress, onError: this.report, observer,
      onAlarm: (alarm) => onAlarm?.(alarm),
      onEnd: (failed) => (failed ? this.schedule(RETRY_MS) : this.wake()),
    });
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
    await this.workers.stop();
    await release(this.pool, this.owner).catch(this.report);
    await this.doorbell.close();
    await this.pool.end();
    await this.buildPool.end();
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
    this.ticking = tick.catch(this.report).finally(() => {
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
    const suspects = this.workers.suspected;
    const led = await lease(this.pool, projections, this.owner, this.leaseMs, suspects);
    this.workers.cleared(suspects);
    await this.workers.match(led, head);
    await this.doorbell.ensure();
  }
}
