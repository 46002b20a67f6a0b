import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { ApprovalPolicy, Budget } from '@app/runs/contract';
import { ToolCallAnswer } from '@app/tool-calls/contract';
import { z } from 'zod';
import type { Lineage } from '../open-goal/open-goal.command';

const Name = z.string().trim().min(1).max(100).regex(/^[\p{L}\p{N} ._:@/-]+$/u, 'Letters, digits, spaces and . _ : @ / -');

const limits = Budget.shape;
/** Limits that are not named are those of the site. */
const WantedBudget = z.strictObject({
  maxToolCalls: limits.maxToolCalls.unwrap(), maxCostUsd: limits.maxCostUsd.unwrap(), timeoutMs: limits.timeoutMs.unwrap(), maxArtifactBytes: limits.maxArtifactBytes.unwrap(),
  maxWritesPerMinute: limits.maxWritesPerMinute,
}).partial();

const Model = z.string().trim().min(1).max(200);

export const GoalFields = z.strictObject({
  title: z.string().trim().min(1).max(500),
  agentName: Name,
  agentRole: Name.optional(),
  execution: z.enum(['sync', 'async']).default('sync'),
  task: z.strictObject({ skillName: z.string().min(1).max(130), arguments: z.record(z.string(), z.json()).default({}) }).optional(),
  budget: WantedBudget.optional(),
  autonomyCap: z.int().min(0).max(4).optional(),
  intentId: z.string().regex(/^int_[0-9a-f]{32}$/).optional(),
  approvalPolicy: ApprovalPolicy.default('none'),
  /** Wall clock; a run that is still going then ends with `timeout`. */
  deadline: z.iso.datetime().optional(),
  priority: z.int().min(-1_000).max(1_000).default(0),
  /** How somebody will see that the goal is reached. */
  acceptance: z.string().trim().min(1).max(4_000).optional(),
  /** Whose model drives the run, for the record. */
  model: Model.optional(),
  provider: Model.optional(),
  context: z.strictObject({ collections: z.array(z.string().min(1).max(63)).max(100).default([]) }).optional(),
});

/** A goal with a task runs it at once, or later when `execution` is `async`; one without opens a run that its own agent drives. */
export const CreateGoalBody = GoalFields.refine(({ execution, task }) => execution === 'sync' || task !== undefined, { path: ['task'], message: 'A goal that runs later needs a task' })
  .meta({ id: 'CreateGoal' });
export type CreateGoalBody = z.infer<typeof CreateGoalBody>;

export const CreatedGoal = z.object({
  goalId: z.string(),
  runId: z.string(),
  goalStatus: z.string(),
  runStatus: z.string(),
  result: ToolCallAnswer.optional(),
}).meta({ id: 'CreatedGoal' });
export type CreatedGoal = z.infer<typeof CreatedGoal>;

export type CreateGoalStep = 'open' | 'task' | 'enqueue' | 'denied';

export class CreateGoal extends Command<Outcome<CreatedGoal>> {
  constructor(
    readonly body: CreateGoalBody,
    readonly principal: Principal,
    /** One command id for opening the run, another for its task: a repeat finds both. */
    readonly contextFor: (step: CreateGoalStep) => Context,
    readonly lineage?: Lineage,
  ) {
    super();
  }
}
