import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';

export const GOAL_ORIGINS = ['user', 'planner', 'reconciler', 'flow'] as const;
export const GOAL_STATUSES = ['open', 'running', 'completed', 'failed', 'cancelled'] as const;

export const goalEvents = eventFamily('goal', {
  GoalCreated: z.strictObject({
    goalId: z.string(),
    title: z.string(),
    origin: z.enum(GOAL_ORIGINS),
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
    /** What bounds the run of whoever takes the goal up, beside the limits of the site. */
    budget: z.strictObject({ maxToolCalls: z.int().optional(), maxCostUsd: z.number().optional(), maxWritesPerMinute: z.int().optional() }).optional(),
  }),
  /** Its parts, each a goal of its own; `toolCalls` is the part's share of what the run `runId` had left. */
  GoalDecomposed: z.strictObject({ runId: z.string(), children: z.array(z.strictObject({ goalId: z.string(), agentRole: z.string(), toolCalls: z.int() })) }),
  GoalStarted: z.strictObject({ runId: z.string() }),
  GoalSettled: z.strictObject({ status: z.enum(['completed', 'failed']), reason: z.string().optional() }),
  GoalCancelled: z.strictObject({ reason: z.string().optional() }),
  /** Why it ended is forgotten with its run. */
  GoalForgotten: z.strictObject({ at: z.string() }),
});
export type GoalEvent = EventOf<typeof goalEvents>;
