import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { ApprovalPolicy, Budget } from '@app/runs/contract';
import { ToolCallAnswer } from '@app/tool-calls/contract';
import { z } from 'zod';

const Name = z.string().trim().min(1).max(100).regex(/^[\p{L}\p{N} ._:@/-]+$/u, 'Letters, digits, spaces and . _ : @ / -');

const limits = Budget.shape;
/** Limits that are not named are those of the site. */
const WantedBudget = z.strictObject({
  maxToolCalls: limits.maxToolCalls.unwrap(), maxCostUsd: limits.maxCostUsd.unwrap(), timeoutMs: limits.timeoutMs.unwrap(), maxArtifactBytes: limits.maxArtifactBytes.unwrap(),
  maxWritesPerMinute: limits.maxWritesPerMinute,
}).partial();

/** A goal with a task runs it at once; one without opens a run that its own agent drives. */
export const CreateGoalBody = z.strictObject({
  title: z.string().trim().min(1).max(500),
  agentName: Name,
  agentRole: Name.optional(),
  execution: z.enum(['sync', 'async']).default('sync'),
  task: z.strictObject({ skillName: z.string().min(1).max(130), arguments: z.record(z.string(), z.json()).default({}) }).optional(),
  budget: WantedBudget.optional(),
  autonomyCap: z.int().min(0).max(4).optional(),
  intentId: z.string().regex(/^int_[0-9a-f]{32}$/).optional(),
  approvalPolicy: ApprovalPolicy.default('none'),
  context: z.strictObject({ collections: z.array(z.string().min(1).max(63)).max(100).default([]) }).optional(),
}).meta({ id: 'CreateGoal' });
export type CreateGoalBody = z.infer<typeof CreateGoalBody>;

export const CreatedGoal = z.object({
  goalId: z.string(),
  runId: z.string(),
  goalStatus: z.string(),
  runStatus: z.string(),
  result: ToolCallAnswer.optional(),
}).meta({ id: 'CreatedGoal' });
export type CreatedGoal = z.infer<typeof CreatedGoal>;

export class CreateGoal extends Command<Outcome<CreatedGoal>> {
  constructor(
    readonly body: CreateGoalBody,
    readonly principal: Principal,
    /** One command id for opening the run, another for its task: a repeat finds both. */
    readonly contextFor: (step: 'open' | 'task') => Context,
  ) {
    super();
  }
}
