import { describe, expect, it } from '@jest/globals';
import { run as aggregate, type LiveRun, type Run, type RunEvent } from '@app/runs/contract';
import { settleToolCall, type CallOutcome } from './settle-tool-call.decide';

const HASH = 'a'.repeat(64);
const spent = { toolCalls: 0, runtimeMs: 0, costUsd: 0, artifactBytes: 0 };
const opened = (kind: 'task' | 'external', budget: Partial<LiveRun['envelope']['budget']> = {}): RunEvent[] => [
  { type: 'RunStarted', data: { runId: 'run_1', goalId: 'goal_1', agentName: 'tester', kind } },
  {
    type: 'EnvelopeSealed',
    data: {
      envelope: {
        goalId: 'goal_1', runId: 'run_1', agentName: 'tester', context: { siteId: 'site_a', collections: [], policySnapshotHash: HASH },
        budget: { maxToolCalls: 20, maxCostUsd: 2, timeoutMs: 1_000, maxArtifactBytes: 100, ...budget }, risk: 'safe', approvalPolicy: 'none', artifacts: [],
        capabilities: ['*'], principalId: 'key_1',
      },
    },
  },
];
const authorised = (callId: string, more: { approvalId?: string; artifact?: boolean } = {}): RunEvent => ({
  type: 'ToolCallAuthorised',
  data: {
    callId, tool: 'draw', arguments: {}, argumentsHash: HASH, actionDigest: HASH, governanceVersion: 1, capability: 'items:update', autonomy: 2,
    budgetBefore: spent, timeoutMs: 1_000, reservedCostUsd: 0.5, artifact: false, policy: null, shadow: [],
    inputs: { capabilities: ['*'], argumentProblems: [], pinnedFields: [], deferral: null, origin: 'user', approved: false, handled: true }, ...more,
  },
});
const fold = (...events: RunEvent[]) => events.reduce<Run>(aggregate.evolve, aggregate.initial) as LiveRun;
const done: CallOutcome = { ok: true, result: 'x', runtimeMs: 10, resultBytes: 60 };
const failed: CallOutcome = { ok: false, reason: 'handler_failed', error: 'No paper', runtimeMs: 10 };
const typesOf = (decision: ReturnType<typeof settleToolCall>) =>
  decision.ok ? Object.fromEntries(Object.entries(decision.events).map(([stream, events]) => [stream, (events as readonly { type: string }[]).map(({ type }) => type)])) : decision;

describe('Settling a tool call', () => {
  it('records no secret of a result or of an error, also where a task ends with it', () => {
    const secret = `ghp_${'a'.repeat(36)}`;
    const asked = { approvalId: 'appr_1' };
    for (const outcome of [{ ...done, result: { token: 'abc', note: `see ${secret}` } }, { ...failed, error: `401 for ${secret}` }]) {
      for (const more of [{}, asked]) {
        const text = JSON.stringify(settleToolCall(fold(...opened('task'), authorised('c', more)), 'c', outcome));
        expect(text).not.toContain(secret);
        expect(text).not.toContain('abc');
        expect(text).toContain('••••••');
      }
    }
  });

  it('ends a task with its call, and leaves an external run to its agent', () => {
    expect(typesOf(settleToolCall(fold(...opened('task'), authorised('c')), 'c', done))).toEqual({ run: ['ToolCallSucceeded', 'RunSucceeded'], goal: ['GoalSettled'], approval: [] });
    expect(typesOf(settleToolCall(fold(...opened('external'), authorised('c')), 'c', done))).toEqual({ run: ['ToolCallSucceeded'], goal: [], approval: [] });
    expect(typesOf(settleToolCall(fold(...opened('task'), authorised('c')), 'c', failed))).toEqual({ run: ['ToolCallFailed', 'RunFailed'], goal: ['GoalSettled'], approval: [] });
  });

  it('records an outcome once', () => {
    const state = fold(...opened('external'), authorised('c'), { type: 'ToolCallSucceeded', data: { callId: 'c', result: 1, runtimeMs: 1, costUsd: 0, artifactBytes: 0 } });
    expect(typesOf(settleToolCall(state, 'c', failed))).toEqual({ run: [], goal: [], approval: [] });
  });

  it.each([['well', done], ['badly', failed]])('[LOAD-002] tells once, in the same append, what a handler that ended %s had written to each collection', (_how, outcome) => {
    const writes = [{ collection: 'articles', writes: 2 }, { collection: 'products', writes: 1 }];
    const decision = settleToolCall(fold(...opened('task'), authorised('c')), 'c', { ...outcome, writes });
    const told = decision.ok ? decision.events.run.filter(({ type }) => type === 'WritesFlushed') : [];
    expect(told).toEqual([{ type: 'WritesFlushed', data: { callId: 'c', collections: writes } }]);
  });

  it('sends an approved call that failed back to wait, with the error', () => {
    const state = fold(...opened('task'), authorised('c', { approvalId: 'appr_1' }));
    expect(typesOf(settleToolCall(state, 'c', failed))).toEqual({ run: ['ToolCallFailed', 'RunParked'], goal: [], approval: ['ApprovedCallFailed'] });
    expect(typesOf(settleToolCall(state, 'c', done))).toEqual({ run: ['ToolCallSucceeded', 'RunSucceeded'], goal: ['GoalSettled'], approval: ['ApprovedCallSucceeded'] });
  });

  it('ends the run that used up its bytes or its time', () => {
    const drawn = fold(...opened('external', { maxArtifactBytes: 50 }), authorised('c', { artifact: true }));
    expect(settleToolCall(drawn, 'c', done)).toMatchObject({ events: { run: [{ data: { artifactBytes: 60 } }, { type: 'RunFailed', data: { stopReason: 'budget_artifact_bytes' } }] } });
    const late: CallOutcome = { ok: false, reason: 'timeout', error: 'late', runtimeMs: 1_000 };
    expect(settleToolCall(fold(...opened('external'), authorised('c')), 'c', late)).toMatchObject({ events: { run: [{}, { data: { stopReason: 'budget_timeout' } }] } });
  });

  it('carries out a cancel when the last handler has ended', () => {
    const asked: RunEvent = { type: 'RunCancelRequested', data: {} };
    expect(typesOf(settleToolCall(fold(...opened('external'), authorised('c'), authorised('d'), asked), 'c', done))).toEqual({ run: ['ToolCallSucceeded'], goal: [], approval: [] });
    expect(typesOf(settleToolCall(fold(...opened('external'), authorised('c'), asked), 'c', done))).toEqual({ run: ['ToolCallSucceeded', 'RunCancelled'], goal: ['GoalCancelled'], approval: [] });
  });

  it('records what a handler did even after its run has ended', () => {
    const state = fold(...opened('external'), authorised('c'), { type: 'RunSucceeded', data: { stopReason: 'completed' } });
    expect(typesOf(settleToolCall(state, 'c', done))).toEqual({ run: ['ToolCallSucceeded'], goal: [], approval: [] });
  });
});
