import { Logger } from '@nestjs/common';
import { ArtifactSchedule } from '@app/artifacts';
import type { Bus } from '@app/cqrs';
import type { Consumers, EventStore, Executor } from '@app/event-store';
import { FlowSchedule } from '@app/flows';
import type { Liveness } from '@app/liveness';
import type { ReadModels } from '@app/projections';
import type { QueueProvider } from '@app/queue';
import type { Pool } from 'pg';
import { agentRuns } from './agent-runs';
import { lostWorkers } from './lost-workers';
import { promotionCheck } from './promotion-check';
import { siteIds } from './site-ids';
import { sparingly } from './sparingly';

export type AgentWorkerOptions = {
  readonly bus: Bus;
  readonly pool: Pool;
  readonly consumers: Consumers;
  readonly queue: QueueProvider | null;
  readonly store: EventStore;
  readonly executor: Executor;
  readonly reads: ReadModels;
  readonly liveness: Liveness;
  /** Cron, in UTC. */
  readonly promotionCheck: string;
};

/** How long handlers may take to finish when the process is told to stop. */
const STOP_WITHIN_MS = 30_000;

/** What carries out work: queued runs, their deadlines, flows, artifacts that take effect, and the daily look at who earned more trust. Several processes may; leases and the log decide who does what. */
export const startAgentWorker = ({ bus, pool, store, executor, reads, liveness, consumers, queue, promotionCheck: schedule }: AgentWorkerOptions) => {
  const log = new Logger('Worker');
  const warn = sparingly((sentence) => log.warn(sentence));
  const runs = agentRuns({ bus, executor, store, db: pool, consumers, queue, onError: (error) => warn(`Agent runs: ${String(error)}`) });
  runs.start();
  const lost = lostWorkers({ bus, store, reads, liveness, queue, sites: () => siteIds(pool), onError: (error) => warn(`Recovery: ${String(error)}`) });
  lost.start();
  const flows = new FlowSchedule({ db: pool, consumers, executor, bus, onError: (error) => warn(`Flows: ${String(error)}`) });
  flows.start();
  const artifacts = new ArtifactSchedule({ db: pool, consumers, store, executor, bus, onError: (error) => warn(`Artifacts: ${String(error)}`) });
  artifacts.start();
  const promotions = promotionCheck({ db: pool, consumers, bus, schedule, onError: (error) => warn(`Promotion check: ${String(error)}`) });
  promotions.start();
  const steps = [() => queue?.stop(STOP_WITHIN_MS), () => lost.stop(), () => runs.stop(), () => flows.stop(), () => artifacts.stop(), () => promotions.stop()];
  return {
    stop: async () => {
      for (const step of steps) await Promise.resolve(step()).catch((error: unknown) => log.error(`A part of the worker did not end well: ${String(error)}`));
    },
  };
};

/** A process without the worker role looks after its own calls: nobody else can know that it never began one. */
export const startOwnRecovery = ({ bus, pool, store, reads, liveness }: Pick<AgentWorkerOptions, 'bus' | 'pool' | 'store' | 'reads' | 'liveness'>) => {
  const log = new Logger('Recovery');
  const warn = sparingly((sentence) => log.warn(sentence));
  const lost = lostWorkers({ bus, store, reads, liveness, queue: null, sites: () => siteIds(pool), onError: (error) => warn(String(error)), ownOnly: true });
  lost.start();
  return { stop: () => lost.stop() };
};
