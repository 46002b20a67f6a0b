import { z } from 'zod';

/** Limits of one run. Runtime is handler time in milliseconds; waiting for people does not count. */
export const Budget = z.strictObject({
  maxToolCalls: z.int().min(0).max(1_000_000).default(20),
  maxCostUsd: z.number().min(0).max(1_000_000).default(2),
  timeoutMs: z.int().min(0).max(7 * 24 * 3_600_000).default(30_000),
  maxArtifactBytes: z.int().min(0).max(1_073_741_824).default(524_288),
  maxWritesPerMinute: z.int().min(1).max(1_000_000).optional(),
});
export type Budget = z.infer<typeof Budget>;

export type Spent = { readonly toolCalls: number; readonly runtimeMs: number; readonly costUsd: number; readonly artifactBytes: number };
export const NOTHING_SPENT: Spent = { toolCalls: 0, runtimeMs: 0, costUsd: 0, artifactBytes: 0 };

export const RUN_STATUSES = ['queued', 'running', 'awaiting_approval', 'succeeded', 'failed', 'cancelled'] as const;
export const STOP_REASONS = [
  'completed', 'cancelled_by_user', 'frozen', 'budget_tool_calls', 'budget_timeout', 'budget_cost', 'budget_artifact_bytes', 'timeout',
  'tool_failed', 'approval_rejected', 'approval_expired', 'queue_timeout', 'stale_unverified', 'dead_lettered',
] as const;
export const StopReason = z.enum(STOP_REASONS);
export type StopReason = z.infer<typeof StopReason>;

export const RUN_RISKS = ['safe', 'review_required', 'dangerous'] as const;
export const ApprovalPolicy = z.enum(['none', 'before_execute', 'before_commit']);

/** What a run may do at most, sealed when it starts. `capabilities` are those of the principal that opened it. */
export const Envelope = z.strictObject({
  goalId: z.string(),
  runId: z.string(),
  agentName: z.string(),
  agentRole: z.string().optional(),
  context: z.strictObject({ siteId: z.string(), collections: z.array(z.string()), policySnapshotHash: z.string() }),
  budget: Budget,
  risk: z.enum(RUN_RISKS),
  approvalPolicy: ApprovalPolicy,
  autonomyCap: z.int().min(0).max(4).optional(),
  artifacts: z.array(z.string()),
  capabilities: z.array(z.string()),
  principalId: z.string(),
  model: z.string().optional(),
  provider: z.string().optional(),
  /** Of the constitution in force when the envelope was sealed. */
  constitutionHash: z.string().optional(),
  /** The run whose goal was decomposed into this one's. */
  parentRunId: z.string().optional(),
  retryOf: z.string().optional(),
  forkOf: z.string().optional(),
});
export type Envelope = z.infer<typeof Envelope>;
