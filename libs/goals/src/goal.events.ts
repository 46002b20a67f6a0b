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
  }),
  GoalStarted: z.strictObject({ runId: z.string() }),
  GoalSettled: z.strictObject({ status: z.enum(['completed', 'failed']), reason: z.string().optional() }),
  GoalCancelled: z.strictObject({ reason: z.string().optional() }),
});
export type GoalEvent = EventOf<typeof goalEvents>;
