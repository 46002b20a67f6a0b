import type { Recorded } from '@app/kernel';
import type { Database } from './database';
import type { Handler } from './delivery';
import type { Leases } from './lease';
import type { Permits } from './permits';
import type { Alarm, Failure } from './subscribing';

/** What every lane of a subscription works with. */
export type LaneSettings = {
  readonly db: Database;
  readonly leases: Leases;
  readonly handler: Handler;
  readonly batchSize: number;
  readonly gatherMs: number;
  readonly failure: Failure;
  readonly permits: Permits;
  readonly alarm: (alarm: Alarm) => void;
  readonly monotonicMs: () => number;
  readonly eventAt: (position: bigint) => Promise<Recorded | undefined>;
  /** The lane is back at its checkpoint and needs the log from there. */
  readonly reread: () => void;
  /** The lane has room again, or wants no more events. */
  readonly progressed: () => void;
  /** The lane found that its lease is gone. */
  readonly lapsed: () => void;
  /** Settles when the slice's former lane in this process has let go of its last batch. */
  readonly after: Promise<void> | undefined;
};
