import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';
import { Envelope, StopReason } from './budget.schema';

const Spent = z.strictObject({ toolCalls: z.int(), runtimeMs: z.number(), costUsd: z.number(), artifactBytes: z.int() });
const Task = z.strictObject({ tool: z.string(), arguments: z.record(z.string(), z.json()) });

/** What the door was asked: enough to ask it again and compare. `arguments` are absent when they were too large to keep in a refusal. */
const Asked = {
  callId: z.string(),
  tool: z.string(),
  arguments: z.record(z.string(), z.json()),
  argumentsHash: z.string(),
  actionDigest: z.string(),
  governanceVersion: z.int(),
};
const Routed = { ...Asked, capability: z.string(), autonomy: z.int(), budgetBefore: Spent };

export const runEvents = eventFamily('run', {
  RunStarted: z.strictObject({
    runId: z.string(),
    goalId: z.string(),
    agentName: z.string(),
    agentRole: z.string().optional(),
    kind: z.enum(['task', 'external']),
    task: Task.optional(),
  }),
  EnvelopeSealed: z.strictObject({ envelope: Envelope }),
  ToolCallAuthorised: z.strictObject({ ...Routed, approvalId: z.string().optional(), timeoutMs: z.number(), reservedCostUsd: z.number(), artifact: z.boolean() }),
  ToolCallParked: z.strictObject({ ...Routed, approvalId: z.string() }),
  ToolCallDenied: z.strictObject({
    callId: z.string(),
    tool: z.string(),
    argumentsHash: z.string(),
    governanceVersion: z.int(),
    reason: z.string(),
    rule: z.string(),
    facts: z.record(z.string(), z.json()).optional(),
  }),
  ToolCallSucceeded: z.strictObject({ callId: z.string(), result: z.json(), runtimeMs: z.number(), costUsd: z.number(), artifactBytes: z.int() }),
  ToolCallFailed: z.strictObject({
    callId: z.string(),
    reason: z.enum(['handler_failed', 'timeout']),
    error: z.string(),
    runtimeMs: z.number(),
    costUsd: z.number(),
    /** Set when the call came from an approval: it goes back to waiting and may be tried again. */
    approvalId: z.string().optional(),
  }),
  RunParked: z.strictObject({ callId: z.string(), approvalId: z.string() }),
  RunResumed: z.strictObject({ callId: z.string(), approvalId: z.string(), decision: z.enum(['approved', 'rejected', 'changes_requested']) }),
  RunCancelRequested: z.strictObject({ reason: z.string().optional() }),
  RunCancelled: z.strictObject({ stopReason: StopReason, reason: z.string().optional() }),
  RunSucceeded: z.strictObject({ stopReason: z.literal('completed'), result: z.json().optional() }),
  RunFailed: z.strictObject({ stopReason: StopReason.optional(), reason: z.string().optional() }),
});
export type RunEvent = EventOf<typeof runEvents>;
