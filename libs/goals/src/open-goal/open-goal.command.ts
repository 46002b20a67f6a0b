import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import type { GOAL_ORIGINS } from '../goal.events';

/** Where a goal comes from, when it is not what a caller asked for itself. */
export type Lineage = {
  readonly origin: (typeof GOAL_ORIGINS)[number];
  readonly parentGoalId?: string;
  readonly parentRunId?: string;
  readonly driftFingerprint?: string;
  readonly retryOf?: string;
  readonly fork?: { readonly forkOf: string; readonly atCallId: string; readonly inherited: readonly string[]; readonly overrides: Readonly<Record<string, unknown>> };
};

/** What other capabilities may say about a goal; limits that they do not name are those of the site. */
export type GoalWish = {
  readonly title: string;
  readonly agentName: string;
  readonly agentRole?: string;
  readonly budget?: { readonly maxToolCalls?: number; readonly maxCostUsd?: number; readonly timeoutMs?: number; readonly maxWritesPerMinute?: number };
  readonly autonomyCap?: number;
  readonly intentId?: string;
  readonly context?: { readonly collections: readonly string[] };
};

/** Another capability opens a goal and its external run. The ids are made of the command id, so a repeat opens nothing new. */
export class OpenGoal extends Command<Outcome<{ readonly goalId: string; readonly runId: string }>> {
  constructor(
    readonly wish: GoalWish,
    readonly principal: Principal,
    readonly context: Context,
    readonly lineage: Lineage,
  ) {
    super();
  }
}
