import { accept, may, missing, reject, type Decision, type Principal } from '@app/kernel';
import type { GoalEvent } from '@app/goals/contract';
import { maskSecrets } from '@app/vault/contract';
import { endingEvents, type Ending } from '../run-ending.policy';
import type { RunEvent } from '../run.events';
import { callsInFlight, isFinished, isOpened, type Run } from '../run.state';
import type { Wish } from './end-run.command';

type Events = { readonly run: readonly RunEvent[]; readonly goal: readonly GoalEvent[] };

/**
 * Its own agent completes or fails an external run; a task run ends by itself. Cancelling is open to whoever may cancel runs and works at
 * the next boundary: with a handler in flight the run ends when that one does. Of what is said at the end no secret is recorded.
 */
export const endRun = (run: Run, told: Wish, principal: Principal, siteId: string): Decision<Events> => {
  if (!isOpened(run) || run.envelope.context.siteId !== siteId) return missing();
  const owns = run.envelope.principalId === principal.id;
  const allowed = owns || may(principal, 'runs:cancel');
  if (!(told.to === 'cancel' ? allowed : owns || principal.roles.includes('admin'))) return missing();
  if (isFinished(run)) {
    return reject('conflict', 'RUN_TERMINAL', 'This run has already ended.', { runStatus: run.status, stopReason: run.stopReason });
  }
  const wish = maskSecrets(told).masked;
  const reason = 'reason' in wish && wish.reason !== undefined ? { reason: wish.reason } : {};
  if (wish.to === 'cancel') {
    const requested: RunEvent = { type: 'RunCancelRequested', data: reason };
    if (callsInFlight(run).length > 0) return accept({ run: run.status !== 'queued' && run.cancelRequested ? [] : [requested], goal: [] });
    const ended = endingEvents({ status: 'cancelled', stopReason: 'cancelled_by_user', ...reason });
    return accept({ run: [requested, ...ended.run], goal: ended.goal });
  }
  if (run.kind === 'task') {
    return reject('conflict', 'CONFLICT', 'This run carries out a task and ends with it; cancel it to stop it.', { runStatus: run.status });
  }
  const ending: Ending = wish.to === 'complete' ? { status: 'succeeded', ...(wish.result !== undefined && { result: wish.result }) } : { status: 'failed', ...reason };
  return accept(endingEvents(ending));
};
