import { Query, type Outcome } from '@app/kernel';
import type { GoalView } from './goal.view';

export type GoalFilter = {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly status?: string | undefined;
  readonly origin?: string | undefined;
  readonly agentRole?: string | undefined;
  readonly parentGoalId?: string | undefined;
  readonly minPosition?: bigint | undefined;
};
export type GoalPage = { readonly rows: readonly GoalView[]; readonly nextCursor: string | null; readonly position: bigint };

export class ListGoals extends Query<GoalPage> {
  constructor(
    readonly siteId: string,
    readonly filter: GoalFilter,
  ) {
    super();
  }
}

/** Answered from the log itself, so it always shows what was just written. */
export class GetGoal extends Query<Outcome<GoalView>> {
  constructor(
    readonly goalId: string,
    readonly siteId: string,
  ) {
    super();
  }
}
