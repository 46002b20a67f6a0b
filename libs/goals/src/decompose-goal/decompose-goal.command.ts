import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { RoleName } from '@app/governance/contract';
import { z } from 'zod';

export const MAX_DEPTH = 5;
export const MAX_WIDTH = 50;

const Part = z.strictObject({
  title: z.string().trim().min(1).max(500),
  agentRole: RoleName,
  /** Its share of the tool calls that the run of the goal has left; parts that name none share the rest evenly. */
  maxToolCalls: z.int().min(0).max(1_000_000).optional(),
  autonomyCap: z.int().min(0).max(4).optional(),
  priority: z.int().min(-1_000).max(1_000).default(0),
  acceptance: z.string().trim().min(1).max(4_000).optional(),
});
export type Part = z.infer<typeof Part>;

export const DecomposeGoalBody = z.strictObject({ goals: z.array(Part).min(1).max(MAX_WIDTH, `A goal has at most ${MAX_WIDTH} parts`) }).meta({ id: 'DecomposeGoal' });
export type DecomposeGoalBody = z.infer<typeof DecomposeGoalBody>;

export const DecomposedGoal = z.object({
  goalId: z.string(),
  goals: z.array(z.object({ goalId: z.string(), title: z.string(), agentRole: z.string(), maxToolCalls: z.int() })),
}).meta({ id: 'DecomposedGoal' });
export type DecomposedGoal = z.infer<typeof DecomposedGoal>;

/** A planner splits a goal into parts, and what its run may still call among them. */
export class DecomposeGoal extends Command<Outcome<DecomposedGoal>> {
  constructor(
    readonly goalId: string,
    readonly body: DecomposeGoalBody,
    readonly principal: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
