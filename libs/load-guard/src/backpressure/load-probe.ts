import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Transaction } from '@app/event-store';
import type { ProjectionsControl } from '@app/projections';
import type { LoadSample } from './backpressure.policy';

/** Where samples of the load come from; a spec hands in its own. */
export abstract class LoadProbe {
  /** Of the time since the sample before. */
  abstract sample(): Promise<LoadSample>;
  abstract stop(): void;
}

const RESOLUTION_MS = 20;

/**
 * The load of this process. A read model that somebody paused, that stopped with an alarm or that is being built is behind for a reason of its own
 * and does not count.
 */
export class ProcessLoadProbe extends LoadProbe {
  private readonly delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  constructor(
    private readonly db: Transaction,
    private readonly projections: Pick<ProjectionsControl, 'status'>,
  ) {
    super();
    this.delay.enable();
  }

  override async sample(): Promise<LoadSample> {
    // The histogram holds the time from tick to tick: an idle loop shows the resolution.
    const eventLoopDelayMs = this.delay.count > 0 ? Math.max(0, this.delay.mean / 1e6 - RESOLUTION_MS) : 0;
    this.delay.reset();
    const asked = performance.now();
    await this.db.query('SELECT 1');
    const databaseLatencyMs = performance.now() - asked;
    const behind = (await this.projections.status()).filter(({ state }) => state === 'live').map(({ lagMs }) => lagMs);
    return { eventLoopDelayMs, databaseLatencyMs, projectionLagMs: Math.max(0, ...behind) };
  }

  override stop(): void {
    this.delay.disable();
  }
}
