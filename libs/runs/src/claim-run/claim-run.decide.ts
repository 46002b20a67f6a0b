import type { GoalEvent } from '@app/goals/contract';
import { accept, missing, reject, type Decision } from '@app/kernel';
import type { RunEvent } from '../run.events';
import { isOpened, type Run } from '../run.state';

/**
 * Takes a run's task over for one worker. The stream's version makes sure that of several only one does; a delivery that comes twice finds
 * it taken. A run whose worker was lost is taken over, one that is parked or over is left alone.
 */
export const claimRun = (run: Run, worker: string, isHolderAlive: (worker: string) => boolean): Decision<{ readonly run: readonly RunEvent[]; readonly goal?: readonly GoalEvent[] }> => {
  if (!isOpened(run) || run.task === undefined) return missing();
  const taken: RunEvent = { type: 'LeaseTaken', data: { worker } };
  if (run.status === 'queued') {
    const { runId, goalId, agentName, agentRole, task } = run;
    return accept({ run: [{ type: 'RunStarted', data: { runId, goalId, agentName, ...(agentRole !== undefined && { agentRole }), kind: 'task', task } }, taken], goal: [{ type: 'GoalStarted', data: { runId } }] });
  }
  if (run.status !== 'running') return reject('conflict', 'CONFLICT', 'This run is not to be carried out now.', { runStatus: run.status });
  const { lease } = run;
  if (lease === undefined) return accept({ run: [taken] });
  if (lease === worker) return accept({ run: [] });
  if (isHolderAlive(lease)) return reject('conflict', 'CONFLICT', 'Another worker carries this run out.', { worker: lease });
  return accept({ run: [{ type: 'LeaseLost', data: { worker: lease, reason: 'expired' } }, taken] });
};

/** Gives a task back that is not done, so that another worker may take it. */
export const releaseRun = (run: Run, worker: string): Decision<{ readonly run: readonly RunEvent[] }> =>
  accept({ run: isOpened(run) && run.lease === worker ? [{ type: 'LeaseLost', data: { worker, reason: 'released' } }] : [] });
