import type { EventStore, Executor } from '@app/event-store';
import { Backpressure, LoadPeaks, ProcessLoadProbe, type LoadLimits } from '@app/load-guard';
import type { ProjectionsControl } from '@app/projections';
import type { Pool } from 'pg';
import { siteIds } from './site-ids';

export type WatchLoadOptions = {
  readonly pool: Pool;
  readonly control: ProjectionsControl;
  readonly executor: Executor;
  readonly store: EventStore;
  readonly limits: LoadLimits;
  readonly onError: (error: unknown) => void;
};

/** Every process watches its own load, whatever its roles: the one that answers requests is the one that feels them. */
export const watchLoad = ({ pool, control, executor, store, limits, onError }: WatchLoadOptions): Backpressure => {
  const guard = new Backpressure({ ...limits, probe: new ProcessLoadProbe(pool, control), peaks: new LoadPeaks(pool), executor, store, sites: () => siteIds(pool), onError });
  guard.start();
  return guard;
};
