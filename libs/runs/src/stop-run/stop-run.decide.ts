import { accept, type Decision } from '@app/kernel';
import type { GoalEvent } from '@app/goals/contract';
import { endingEvents } from '../run-ending.policy';
import type { RunEvent } from '../run.events';
import { isFinished, type OpenedRun } from '../run.state';
import type { StopRun } from './stop-run.command';

/** Nothing happens to a run that is over or has gone on to another status than those meant: its timer was late. */
export const stopRun = (run: OpenedRun, { ending, terms: { only, because } }: Pick<StopRun, 'ending' | 'terms'>): Decision<{ readonly run: readonly RunEvent[]; readonly goal: readonly GoalEvent[] }> => {
  if (isFinished(run) || (only !== undefined && !only.includes(run.status))) return accept({ run: [], goal: [] });
  const ended = endingEvents(ending);
  return accept({ run: [...(because ? [because] : []), ...ended.run], goal: ended.goal });
};
