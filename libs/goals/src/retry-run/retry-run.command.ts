import { Command, type Context, type Outcome, type Principal } from '@app/kernel';

export type RetriedRun = {
  readonly goalId: string;
  readonly runId: string;
  readonly goalStatus: string;
  readonly runStatus: string;
  /** The answer of its call, when the task was done at once. */
  readonly result?: unknown;
  readonly retryOf: string;
};
/** Each has a command id of its own: a repeat finds what was done. */
export type RetryStep = 'open' | 'task' | 'enqueue' | 'denied';

/**
 * The task of a run that has ended, once more: a new goal and a new run with what the owner of the old one may do now. Nothing is added to
 * the old run. Open to its owner, to admins and to operators.
 */
export class RetryRun extends Command<Outcome<RetriedRun>> {
  constructor(
    readonly runId: string,
    readonly principal: Principal,
    readonly contextFor: (step: RetryStep) => Context,
  ) {
    super();
  }
}
