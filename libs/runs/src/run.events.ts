import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';
import { Envelope, StopReason } from './budget.schema';

const Spent = z.strictObject({ toolCalls: z.int(), runtimeMs: z.number(), costUsd: z.number(), artifactBytes: z.int() });
/** Arguments that were not recorded as they are: `sealed` holds them until the call has an outcome. */
const Sealed = { sealed: z.string().optional() };
const Task = z.strictObject({ tool: z.string(), arguments: z.record(z.string(), z.json()), ...Sealed });

const Json = z.record(z.string(), z.json());

/** The facts that were looked up for the decision; with the run and the governance as they were, they are all that a replay needs. */
const Inputs = z.strictObject({
  capabilities: z.array(z.string()),
  argumentProblems: z.array(z.strictObject({ path: z.string(), message: z.string() })),
  targetProblems: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
  pinnedFields: z.array(z.string()),
  deferral: z
    .strictObject({
      reason: z.enum(['outside_maintenance_window', 'backpressure', 'write_budget_exceeded', 'rate_limited']),
      rule: z.enum(['maintenance_window', 'load_guard']),
      retryAfterMs: z.int(),
    })
    .nullable(),
  origin: z.string(),
  approved: z.boolean(),
  repeated: z.boolean().optional(),
  handled: z.boolean(),
});
/** Rules in shadow mode that would have spoken. */
const Shadow = z.array(z.strictObject({ rule: z.string(), then: Json }));

/** What the door was asked, and on what it decided. */
const Asked = {
  callId: z.string(),
  tool: z.string(),
  /** Without their secrets; the hashes are those of the exact ones. */
  arguments: Json,
  /** Secrets were taken out of `arguments`. */
  masked: z.literal(true).optional(),
  argumentsHash: z.string(),
  actionDigest: z.string(),
  governanceVersion: z.int(),
  inputs: Inputs,
};
const Routed = { ...Asked, capability: z.string(), autonomy: z.int(), budgetBefore: Spent, policy: z.string().nullable(), shadow: Shadow };

export const runEvents = eventFamily('run', {
  /** A task that a worker will start; its envelope is sealed in the same append. */
  RunQueued: z.strictObject({ runId: z.string(), goalId: z.string(), agentName: z.string(), agentRole: z.string().optional(), task: Task }),
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
  ToolCallAuthorised: z.strictObject({
    ...Routed, ...Sealed, approvalId: z.string().optional(), timeoutMs: z.number(), reservedCostUsd: z.number(), artifact: z.boolean(),
    /** Who runs it: the id of the process with the handler, or `client` when the agent does it itself and reports the outcome. */
    handledBy: z.string().optional(),
  }),
  ToolCallParked: z.strictObject({ ...Routed, ...Sealed, approvalId: z.string() }),
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
  ToolCallSucceeded: z.strictObject({
    callId: z.string(), result: z.json(), runtimeMs: z.number(), costUsd: z.number(), artifactBytes: z.int(),
    /** How many characters of the result could not be stored, NUL and lone surrogates, and were replaced by U+FFFD. */
    replacedCharacters: z.int().optional(),
  }),
  ToolCallFailed: z.strictObject({
    callId: z.string(),
    reason: z.enum(['handler_failed', 'timeout', 'worker_lost', 'reported']),
    error: z.string(),
    runtimeMs: z.number(),
    costUsd: z.number(),
    /** Set when the call came from an approval: it goes back to waiting and may be tried again. */
    approvalId: z.string().optional(),
  }),
  /** Its worker was lost, and whether it ran cannot be known: a person is asked by this approval. */
  ToolCallIndeterminate: z.strictObject({ callId: z.string(), approvalId: z.string(), handledBy: z.string().nullable() }),
  IndeterminateResolved: z.strictObject({
    callId: z.string(),
    approvalId: z.string(),
    answer: z.enum(['happened', 'not_happened', 'failed']),
    by: z.string(),
    result: z.json().optional(),
    reason: z.string().optional(),
  }),
  /** All item writes of one call, told once per collection when its handler had ended, well or not. */
  WritesFlushed: z.strictObject({ callId: z.string(), collections: z.array(z.strictObject({ collection: z.string(), writes: z.int() })) }),
  /** Tokens and dollars are estimates. */
  LlmUsed: z.strictObject({ provider: z.string(), model: z.string(), inputTokens: z.int(), outputTokens: z.int(), costUsd: z.number() }),
  /** Calls that the run gave away to the parts of its goal; they count as spent. */
  BudgetShared: z.strictObject({ toolCalls: z.int(), goals: z.array(z.string()) }),
  ArtifactAttached: z.strictObject({ artifactId: z.string(), bytes: z.int() }),
  /** The process that carries the run's task out. Its heartbeats are no events. */
  LeaseTaken: z.strictObject({ worker: z.string() }),
  LeaseLost: z.strictObject({ worker: z.string(), reason: z.enum(['released', 'expired']) }),
  RunDeadLettered: z.strictObject({ queue: z.string(), jobId: z.string(), attempts: z.int(), error: z.string() }),
  /** This run repeats the task of another one. */
  RunRetried: z.strictObject({ retryOf: z.string() }),
  /** Calls of the other run before `atCallId` are answered from its record. */
  RunForked: z.strictObject({ forkOf: z.string(), atCallId: z.string(), inherited: z.array(z.string()), overrides: Json.optional() }),
  RunParked: z.strictObject({ callId: z.string(), approvalId: z.string() }),
  RunResumed: z.strictObject({ callId: z.string(), approvalId: z.string(), decision: z.enum(['approved', 'rejected', 'changes_requested', 'expired']) }),
  /** Words of a reviewer about a call that waits; it goes on waiting. */
  ToolCallAnswered: z.strictObject({ callId: z.string(), approvalId: z.string(), by: z.string(), text: z.string() }),
  RunCancelRequested: z.strictObject({ reason: z.string().optional() }),
  RunCancelled: z.strictObject({ stopReason: StopReason, reason: z.string().optional() }),
  RunSucceeded: z.strictObject({ stopReason: z.literal('completed'), result: z.json().optional() }),
  RunFailed: z.strictObject({ stopReason: StopReason.optional(), reason: z.string().optional() }),
  /** The key of everything that was said in it is destroyed. `approvals` and `stagings` told of its calls, `goals` of how it ended. */
  RunForgotten: z.strictObject({ by: z.string(), goals: z.array(z.string()), approvals: z.array(z.string()), stagings: z.array(z.string()), at: z.string() }),
});
export type RunEvent = EventOf<typeof runEvents>;
