import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';
import { Envelope, StopReason } from './budget.schema';

const Spent = z.strictObject({ toolCalls: z.int(), runtimeMs: z.number(), costUsd: z.number(), artifactBytes: z.int() });
const Task = z.strictObject({ tool: z.string(), arguments: z.record(z.string(), z.json()) });

const Json = z.record(z.string(), z.json());

/** The facts that were looked up for the decision; with the run and the governance as they were, they are all that a replay needs. */
const Inputs = z.strictObject({
  capabilities: z.array(z.string()),
  argumentProblems: z.array(z.strictObject({ path: z.string(), message: z.string() })),
  pinnedFields: z.array(z.string()),
  deferral: z
    .strictObject({
      reason: z.enum(['outside_maintenance_window', 'backpressure', 'write_budget_exceeded']),
      rule: z.enum(['maintenance_window', 'load_guard']),
      retryAfterMs: z.int(),
    })
    .nullable(),
  origin: z.string(),
  approved: z.boolean(),
  handled: z.boolean(),
});
/** Rules in shadow mode that would have spoken. */
const Shadow = z.array(z.strictObject({ rule: z.string(), then: Json }));

/** What the door was asked, and on what it decided. */
const Asked = {
  callId: z.string(),
  tool: z.string(),
  arguments: Json,
  argumentsHash: z.string(),
  actionDigest: z.string(),
  governanceVersion: z.int(),
  inputs: Inputs,
};
const Routed = { ...Asked, capability: z.string(), autonomy: z.int(), budgetBefore: Spent, policy: z.string().nullable(), shadow: Shadow };

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
  /** The version of the site's constitution that the run is bound to. The first one counts. */
  ConstitutionPinned: z.strictObject({ constitutionId: z.string(), hash: z.string() }),
  ToolCallAuthorised: z.strictObject({ ...Routed, approvalId: z.string().optional(), timeoutMs: z.number(), reservedCostUsd: z.number(), artifact: z.boolean() }),
  ToolCallParked: z.strictObject({ ...Routed, approvalId: z.string() }),
  /** The call is done for its run: the change waits in a veto window of its own. */
  ToolCallStaged: z.strictObject({ ...Routed, stagingId: z.string(), approvalId: z.string(), autoCommitAt: z.string() }),
  ToolCallDeferred: z.strictObject({ ...Asked, reason: z.string(), rule: z.string(), retryAfterMs: z.int() }),
  ToolCallDenied: z.strictObject({
    ...Asked,
    reason: z.string(),
    rule: z.string(),
    facts: Json.optional(),
    shadow: Shadow.optional(),
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
  RunResumed: z.strictObject({ callId: z.string(), approvalId: z.string(), decision: z.enum(['approved', 'rejected', 'changes_requested', 'expired']) }),
  /** Words of a reviewer about a call that waits; it goes on waiting. */
  ToolCallAnswered: z.strictObject({ callId: z.string(), approvalId: z.string(), by: z.string(), text: z.string() }),
  RunCancelRequested: z.strictObject({ reason: z.string().optional() }),
  RunCancelled: z.strictObject({ stopReason: StopReason, reason: z.string().optional() }),
  RunSucceeded: z.strictObject({ stopReason: z.literal('completed'), result: z.json().optional() }),
  RunFailed: z.strictObject({ stopReason: StopReason.optional(), reason: z.string().optional() }),
});
export type RunEvent = EventOf<typeof runEvents>;
