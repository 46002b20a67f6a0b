import { Command, type Context, type Outcome } from '@app/kernel';

/** The deadline of a goal has passed. A goal that has ended stays as it is: its timer was late. */
export class ExpireGoal extends Command<Outcome<{ readonly status: string }>> {
  constructor(
    readonly goalId: string,
    readonly context: Context,
  ) {
    super();
  }
}
