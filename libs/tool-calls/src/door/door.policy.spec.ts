import { describe, expect, it } from '@jest/globals';
import { effectiveTool, governance, type EffectiveTool, type GovernanceEvent, type Site } from '@app/governance/contract';
import { NO_CALLS, type LiveRun } from '@app/runs/contract';
import { decideToolCall, type DoorFacts } from './door.policy';

const tool = (overrides: Partial<EffectiveTool> = {}): EffectiveTool => ({
  ...effectiveTool({
    definition: {
      name: 'updateItem', kind: 'skill', description: 'Changes an item', inputSchema: { type: 'object' }, requiredCapabilities: ['items:update'], risk: 'write',
      timeoutMs: 30_000, owner: 'core',
    },
    override: {}, enabled: true,
  }),
  ...overrides,
});
const spent = { toolCalls: 0, runtimeMs: 0, costUsd: 0, artifactBytes: 0 };
const run = (overrides: { spent?: Partial<typeof spent>; envelope?: Partial<LiveRun['envelope']>; cancelRequested?: boolean } = {}): LiveRun => ({
  runId: 'run_1', goalId: 'goal_1', agentName: 'tester', kind: 'external', status: 'running', calls: NO_CALLS, version: 2, approvals: [],
  cancelRequested: overrides.cancelRequested ?? false,
  spent: { ...spent, ...overrides.spent },
  envelope: {
    goalId: 'goal_1', runId: 'run_1', agentName: 'tester', context: { siteId: 'site_a', collections: [], policySnapshotHash: '' },
    budget: { maxToolCalls: 20, maxCostUsd: 2, timeoutMs: 30_000, maxArtifactBytes: 524_288 },
    risk: 'safe', approvalPolicy: 'none', artifacts: [], capabilities: ['*'], principalId: 'key_robot', ...overrides.envelope,
  },
});
const site = (...events: GovernanceEvent[]): Site =>
  [{ type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } } as const, ...events].reduce(governance.evolve, governance.initial) as Site;
const ask = (facts: Partial<DoorFacts> = {}) =>
  decideToolCall({
    run: run(), site: site(), tool: tool(), arguments: {}, now: new Date('2030-01-01T10:00:00Z'), matches: (pattern, text) => text.includes(pattern),
    argumentProblems: [], capabilities: ['items:update'], pinnedFields: [], deferral: null, origin: 'user', approved: false, handled: true, ...facts,
  });
const budget = (limits: Partial<LiveRun['envelope']['budget']>) => ({ budget: { ...run().envelope.budget, ...limits } });

describe('The door', () => {
  it('lets a safe call through with its level, capability and time limit', () => {
    expect(ask()).toEqual({
      route: 'execute', autonomy: 2, capability: 'items:update', budgetBefore: spent, policy: null, shadow: [], timeoutMs: 30_000, reservedCostUsd: 0, artifact: false,
    });
  });

  it('[DOOR-004] denies a call on a run with a requested cancel', () => {
    expect(ask({ run: run({ cancelRequested: true }) })).toEqual({ route: 'deny', reason: 'cancelled', rule: 'run_state' });
  });

  it('[DOOR-005] denies a tool that is not registered', () => {
    expect(ask({ tool: undefined })).toMatchObject({ route: 'deny', reason: 'tool_not_registered' });
  });

  it('[DOOR-006] denies a disabled tool', () => {
    expect(ask({ tool: tool({ enabled: false }) })).toMatchObject({ route: 'deny', reason: 'tool_disabled' });
  });

  it('[DOOR-007] denies arguments that break the schema and names the paths', () => {
    expect(ask({ argumentProblems: [{ path: '/id', message: 'must be string' }] })).toMatchObject({ route: 'deny', reason: 'invalid_arguments', facts: { errors: [{ path: '/id' }] } });
  });

  it('[DOOR-008] denies a call without every required capability and names the missing ones', () => {
    const needsTwo = tool({ requiredCapabilities: ['items:update', 'items:read'] });
    expect(ask({ tool: needsTwo })).toMatchObject({ route: 'deny', reason: 'capability_missing', facts: { missing: ['items:read'] } });
    expect(ask({ capabilities: ['*'] })).toMatchObject({ route: 'execute' });
  });

  it('never lets a run do more than it was opened with, nor more than its principal may do now', () => {
    expect(ask({ capabilities: ['*'], run: run({ envelope: { capabilities: ['items:read'] } }) })).toMatchObject({ reason: 'capability_missing' });
    expect(ask({ capabilities: [] })).toMatchObject({ reason: 'capability_missing' });
  });

  it('checks in the order of the specification: the first refusal is the one that counts', () => {
    const everythingWrong = { argumentProblems: [{ path: '', message: '' }], capabilities: [], run: run({ envelope: budget({ maxToolCalls: 0 }) }) };
    expect(ask({ ...everythingWrong, tool: tool({ enabled: false }) })).toMatchObject({ reason: 'tool_disabled' });
    expect(ask(everythingWrong)).toMatchObject({ reason: 'invalid_arguments' });
    expect(ask({ ...everythingWrong, argumentProblems: [] })).toMatchObject({ reason: 'capability_missing' });
    expect(ask({ ...everythingWrong, argumentProblems: [], capabilities: ['*'] })).toMatchObject({ reason: 'budget_tool_calls' });
  });

  it.each([
    ['[BUDGET-001] the 21st of 20 calls', 'budget_tool_calls', run({ spent: { toolCalls: 20 } }), {}],
    ['[BUDGET-002] the first of 0 calls', 'budget_tool_calls', run({ envelope: budget({ maxToolCalls: 0 }) }), {}],
    ['[BUDGET-003] a call after the runtime is used up', 'budget_timeout', run({ spent: { runtimeMs: 30_000 } }), {}],
    ['[BUDGET-004] a call whose estimate exceeds what is left', 'budget_cost', run({ spent: { costUsd: 1.5 } }), { costUsd: 0.6 }],
    ['an artifact when no bytes are left', 'budget_artifact_bytes', run({ spent: { artifactBytes: 524_288 } }), { artifact: true }],
  ])('%s stops the run', (_name, stopReason, state, more) => {
    expect(ask({ run: state, tool: tool(more) })).toMatchObject({ route: 'deny', reason: stopReason, stop: { status: 'failed', stopReason } });
  });

  it('gives a handler no more time than the run has left', () => {
    expect(ask({ run: run({ spent: { runtimeMs: 29_000 } }) })).toMatchObject({ timeoutMs: 1_000 });
  });

  it('asks a person before a dangerous call, and runs it once approved', () => {
    const dangerous = tool({ name: 'deleteItem', isDangerous: true });
    expect(ask({ tool: dangerous })).toMatchObject({ route: 'ask', policy: 'dangerous_tool', autonomy: 1, domain: 'items' });
    expect(ask({ tool: dangerous, approved: true })).toMatchObject({ route: 'execute' });
  });

  it.each([
    ['before_execute', { approvalPolicy: 'before_execute' as const }, 'write', 'before_execute'],
    ['before_commit, while there is no veto window', { approvalPolicy: 'before_commit' as const }, 'write', 'before_commit'],
    ['an envelope that wants review', { risk: 'review_required' as const }, 'write', 'review_required'],
    ['a cap at level 1', { autonomyCap: 1 }, 'write', 'autonomy'],
  ])('%s asks for every call that is not a read', (_name, sealed, risk, policy) => {
    expect(ask({ run: run({ envelope: sealed }), tool: tool({ risk: risk as 'write' }) })).toMatchObject({ route: 'ask', policy });
    expect(ask({ run: run({ envelope: sealed }), tool: tool({ risk: 'read' }) })).toMatchObject({ route: 'execute' });
  });

  it('refuses an approved call when the facts have changed', () => {
    expect(ask({ approved: true, tool: tool({ enabled: false }) })).toMatchObject({ route: 'deny', reason: 'tool_disabled' });
    expect(ask({ approved: true, capabilities: [] })).toMatchObject({ route: 'deny', reason: 'capability_missing' });
  });
});
