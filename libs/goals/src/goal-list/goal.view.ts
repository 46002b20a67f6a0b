import { z } from 'zod';
import { GOAL_ORIGINS, GOAL_STATUSES } from '../goal.events';
import type { Goal } from '../goal.state';

/** What somebody wants done, and how far it is. */
export const GoalView = z.object({
  id: z.string(),
  siteId: z.string(),
  title: z.string(),
  status: z.enum(GOAL_STATUSES),
  reason: z.string().nullable(),
  origin: z.enum(GOAL_ORIGINS),
  runId: z.string().nullable(),
  agentName: z.string(),
  agentRole: z.string().nullable(),
  parentGoalId: z.string().nullable(),
  intentId: z.string().nullable(),
  driftFingerprint: z.string().nullable(),
  autonomyCap: z.int().nullable(),
  priority: z.int(),
  deadline: z.string().nullable(),
  owner: z.string(),
  acceptance: z.string().nullable(),
  createdAt: z.string(),
}).meta({ id: 'Goal' });
export type GoalView = Readonly<z.infer<typeof GoalView>>;

export const goalView = ({ goalId, budget: _budget, children: _children, ...goal }: Exclude<Goal, { status: 'none' }>, siteId: string, createdAt: string): GoalView => ({ id: goalId, siteId, ...goal, createdAt });
