import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { effectiveTool, governance, type GovernanceEvent, type Site, type ToolGovernance } from '@app/governance/contract';
import { NO_CALLS, NOTHING_SPENT, type LiveRun } from '@app/runs/contract';
import { decideToolCall, type DoorFacts } from './door.policy';

const AT = new Date('2030-01-01T10:00:00Z');
const RISKS = ['read', 'create', 'write', 'destructive'] as const;
const definition = {
  name: 'desk_update_markdown', kind: 'skill', description: 'x', inputSchema: { type: 'object' }, requiredCapabilities: ['desk:write'], risk: 'write', attended: true, timeoutMs: 1_000, owner: 'core',
} as const;
const toolOf = (override: ToolGovernance) => effectiveTool({ definition: { ...definition, requiredCapabilities: ['desk:write'] }, override, enabled: true });

const runOf = ({ approvalPolicy, risk, autonomyCap }: Pick<LiveRun['envelope'], 'approvalPolicy' | 'risk'> & { readonly autonomyCap: number | undefined }): LiveRun => ({
  runId: 'run_1', goalId: 'goal_1', agentName: 'tester', agentRole: 'Writer', kind: 'external', status: 'running', calls: NO_CALLS, version: 2, approvals: [], cancelRequested: false, spent: NOTHING_SPENT,
  envelope: {
    goalId: 'goal_1', runId: 'run_1', agentName: 'tester', context: { siteId: 'site_a', collections: [], policySnapshotHash: '' }, approvalPolicy, risk, artifacts: [], capabilities: ['*'],
    budget: { maxToolCalls: 20, maxCostUsd: 2, timeoutMs: 30_000, maxArtifactBytes: 524_288 }, principalId: 'key_robot', ...(autonomyCap !== undefined && { autonomyCap }),
  },
});
const siteOf = (level: number, vetoWindow: boolean, then: readonly ('allow' | 'ask' | 'stage')[]): Site => {
  const rules = then.map((what, nr) => ({ name: `rule ${nr}`, when: {}, then: { do: what }, mode: 'enforce' as const }));
  const events: readonly GovernanceEvent[] = [
    { type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } },
    { type: 'RoleDefined', data: { role: { name: 'Writer', description: '', capabilities: ['*'] } } },
    { type: 'AutonomyGranted', data: { agentRole: 'Writer', capability: 'desk:write', level, from: null, expiresAt: null, grantedBy: 'key_ada' } },
    { type: 'FlagChanged', data: { flag: 'vetoWindow', on: vetoWindow } },
    { type: 'PolicyChanged', data: { rules } },
  ];
  return events.reduce(governance.evolve, governance.initial) as Site;
};
const ask = (facts: Pick<DoorFacts, 'tool' | 'site' | 'run'> & Partial<DoorFacts>) =>
  decideToolCall({
    arguments: { fileId: 'desk_1', data: { content: 'x' } }, now: AT, matches: () => true, argumentProblems: [], capabilities: ['desk:write'], pinnedFields: [], deferral: null, origin: 'user', approved: false,
    handled: true, ...facts,
  });

describe('An attended tool', () => {
  const world = fc.record({
    level: fc.nat({ max: 4 }), vetoWindow: fc.boolean(), then: fc.array(fc.constantFrom('allow' as const, 'ask' as const, 'stage' as const), { maxLength: 3 }),
    override: fc.record({ dangerous: fc.boolean(), stageable: fc.boolean(), risk: fc.constantFrom(...RISKS), idempotent: fc.boolean() }, { requiredKeys: [] }),
    envelope: fc.record({
      approvalPolicy: fc.constantFrom('none' as const, 'before_execute' as const, 'before_commit' as const), risk: fc.constantFrom('safe' as const, 'review_required' as const),
      autonomyCap: fc.option(fc.nat({ max: 4 }), { nil: undefined }),
    }),
  });

  it('property: is put before a person whatever was granted, overridden, allowed or asked for, and runs when it was approved', () => {
    fc.assert(
      fc.property(world, ({ level, vetoWindow, then, override, envelope }) => {
        const facts = { tool: toolOf(override), site: siteOf(level, vetoWindow, then), run: runOf(envelope) };
        expect(ask(facts)).toMatchObject({ route: 'ask', humanOnly: true });
        expect(ask({ ...facts, approved: true }).route).toBe('execute');
      }),
      { numRuns: 500 },
    );
  });

  it('is asked in its own name, and others are as they were', () => {
    const facts = { site: siteOf(4, true, []), run: runOf({ approvalPolicy: 'none', risk: 'safe', autonomyCap: undefined }) };
    expect(ask({ ...facts, tool: toolOf({}) })).toMatchObject({ route: 'ask', policy: 'attended_tool', autonomy: 2 });
    const { attended: _attended, ...plain } = definition;
    expect(ask({ ...facts, tool: effectiveTool({ definition: { ...plain, requiredCapabilities: ['desk:write'] }, override: {}, enabled: true }) }).route).toBe('execute');
  });
});

describe('What a target says of itself', () => {
  const facts = { tool: toolOf({}), site: siteOf(2, false, []), run: runOf({ approvalPolicy: 'none', risk: 'safe', autonomyCap: undefined }), targetProblems: [{ path: '/fileId', message: 'It is not there' }] };

  it('turns the call down before anybody is asked, and after the capabilities', () => {
    expect(ask(facts)).toEqual({ route: 'deny', reason: 'invalid_arguments', rule: 'target', facts: { errors: [{ path: '/fileId', message: 'It is not there' }] } });
    expect(ask({ ...facts, capabilities: [] })).toMatchObject({ route: 'deny', reason: 'capability_missing' });
  });
});
