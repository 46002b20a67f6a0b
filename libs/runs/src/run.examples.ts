import type { Envelope } from './budget.schema';
import type { RunEvent } from './run.events';
import { run, type LiveRun, type Run } from './run.state';

export const HASH = 'a'.repeat(64);

export const envelope = (overrides: Partial<Envelope> = {}): Envelope => ({
  goalId: 'goal_1', runId: 'run_1', agentName: 'tester',
  context: { siteId: 'site_a', collections: [], policySnapshotHash: HASH },
  budget: { maxToolCalls: 20, maxCostUsd: 2, timeoutMs: 30_000, maxArtifactBytes: 524_288 },
  risk: 'safe', approvalPolicy: 'none', artifacts: [], capabilities: ['items:read', 'items:update', 'items:delete'], principalId: 'key_robot', ...overrides,
});

export const started = (kind: 'task' | 'external' = 'external', sealed: Partial<Envelope> = {}): RunEvent[] => [
  { type: 'RunStarted', data: { runId: 'run_1', goalId: 'goal_1', agentName: 'tester', kind } },
  { type: 'EnvelopeSealed', data: { envelope: envelope(sealed) } },
];

const spent = { toolCalls: 0, runtimeMs: 0, costUsd: 0, artifactBytes: 0 };
const asked = (callId: string, tool: string) => ({
  callId, tool, arguments: {}, argumentsHash: HASH, actionDigest: HASH, governanceVersion: 9, capability: 'items:update', autonomy: 2, budgetBefore: spent,
  policy: null, shadow: [],
  inputs: { capabilities: ['*'], argumentProblems: [], pinnedFields: [], deferral: null, origin: 'user', approved: false, handled: true },
});

export const authorised = (callId: string, more: { approvalId?: string; reservedCostUsd?: number; artifact?: boolean } = {}): RunEvent => ({
  type: 'ToolCallAuthorised', data: { ...asked(callId, 'updateItem'), timeoutMs: 30_000, reservedCostUsd: 0, artifact: false, ...more },
});
export const parked = (callId: string, approvalId: string): RunEvent[] => [
  { type: 'ToolCallParked', data: { ...asked(callId, 'deleteItem'), approvalId } },
  { type: 'RunParked', data: { callId, approvalId } },
];
export const succeeded = (callId: string, more: { runtimeMs?: number; costUsd?: number; artifactBytes?: number } = {}): RunEvent => ({
  type: 'ToolCallSucceeded', data: { callId, result: null, runtimeMs: 5, costUsd: 0, artifactBytes: 0, ...more },
});

export const fold = (...events: readonly RunEvent[]): Run => events.reduce(run.evolve, run.initial);
export const live = (...events: readonly RunEvent[]): LiveRun => fold(...events) as LiveRun;
