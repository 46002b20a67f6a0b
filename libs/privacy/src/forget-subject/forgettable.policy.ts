import { reject, type Rejected } from '@app/kernel';
import { isFinished, type OpenedRun } from '@app/runs/contract';
import type { Staging } from '@app/staging/contract';

/** What is under way still needs its words. */
export const notForgettable = (run: OpenedRun, stagings: readonly Staging[]): Rejected | undefined => {
  if (!isFinished(run)) return reject('conflict', 'CONFLICT', 'This run has not ended; cancel it, or wait for its end.', { runStatus: run.status });
  if (run.forgottenAt !== undefined) return reject('gone', 'GONE', 'This run was forgotten.', { forgottenAt: run.forgottenAt });
  return stagings.some(({ status }) => status === 'staged')
    ? reject('conflict', 'CONFLICT', 'A change of this run is still staged; veto or commit it first.', { runStatus: run.status })
    : undefined;
};
