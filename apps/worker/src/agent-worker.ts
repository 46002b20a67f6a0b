import { Logger } from '@nestjs/common';
import type { Bus } from '@app/cqrs';
import type { Consumers, Executor } from '@app/event-store';
import { FlowSchedule } from '@app/flows';
import type { QueueProvider } from '@app/queue';
import type { Pool } from 'pg';
import { agentRuns } from './agent-runs';
import { promotionCheck } from './promotion-check';
import { sparingly } from './sparingly';

export type AgentWorkerOptions = {
  readonly bus: Bus;
  readonly pool: Pool;
  readonly consumers: Consumers;
  readonly queue: QueueProvider | null;
  readonly executor: Executor;
  /** Cron, in UTC. */
  readonly promotionCheck: string;
};

/** How long handlers may take to finish when the process is told to stop. */
const STOP_WITHIN_MS = 30_000;

/** What carries out work: queued runs, their deadlines, flows, and the daily look at who earned more trust. Several processes may; leases and the log decide who does what. */
export const startAgentWorker = ({ bus, pool, executor, consumers, queue, promotionCheck: schedule }: AgentWorkerOptions) => {
  const log = new Logger('Worker');
  const warn = sparingly((sentence) => log.warn(sentence));
  const runs = agentRuns({ bus, executor, db: pool, consumers, queue, onError: (error) => warn(`Agent runs: ${String(error)}`) });
  runs.start();
  const flows = new FlowSchedule({ db: pool, consumers, executor, bus, onError: (error) => warn(`Flows: ${String(error)}`) });
  flows.start();
  const promotions = promotionCheck({ db: pool, consumers, bus, schedule, onError: (error) => warn(`Promotion check: ${String(error)}`) });
  promotions.start();
  const steps = [() => queue?.stop(STOP_WITHIN_MS), () => runs.stop(), () => flows.stop(), () => promotions.stop()];
  return {
    stop: async () => {
      for (const step of steps) await Promise.resolve(step()).catch((error: unknown) => log.error(`A part of the worker did not end well: ${String(error)}`));
    },
  };
};
