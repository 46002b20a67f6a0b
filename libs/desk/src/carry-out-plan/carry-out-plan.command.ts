import { Command, type Context, type Outcome } from '@app/kernel';
import type { Plan } from '../desk.schema';
import type { FileSummary } from '../desk-list/file.view';

export type StepResult =
  | { readonly tool: string; readonly status: 'done'; readonly file: FileSummary }
  | { readonly tool: string; readonly status: 'failed'; readonly code: string; readonly reason: string }
  | { readonly tool: string; readonly status: 'not_tried' };
/** What was done stays done when a later step fails. */
export type CarriedOutPlan = { readonly status: 'completed' | 'failed'; readonly done: number; readonly steps: readonly StepResult[] };

/** Replays the steps of a plan that somebody approved, one after the other, with exactly the arguments they were approved with. */
export class CarryOutPlan extends Command<Outcome<CarriedOutPlan>> {
  constructor(
    readonly plan: Plan,
    readonly runId: string,
    readonly context: Context,
  ) {
    super();
  }
}
