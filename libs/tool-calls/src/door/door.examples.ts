import { effectiveTool, governance, type EffectiveTool, type GovernanceEvent, type Site, type ToolDefinition, type ToolGovernance } from '@app/governance/contract';
import { NO_CALLS, type LiveRun } from '@app/runs/contract';
import { decideToolCall, type DoorFacts } from './door.policy';

export const NOW = new Date('2030-01-01T10:00:00.000Z');

export const tool = (definition: Partial<ToolDefinition> = {}, override: ToolGovernance = {}, enabled = true): EffectiveTool =>
  effectiveTool({
    definition: {
      name: 'updateItem', kind: 'skill', description: 'Changes an item', inputSchema: { type: 'object' }, requiredCapabilities: ['items:update'], risk: 'write',
      timeoutMs: 30_000, owner: 'core', ...definition,
    },
    override, enabled,
  });

/** A tool that is dangerous by its name. */
export const dangerous = (definition: Partial<ToolDefinition> = {}) => tool({ name: 'deleteItem', requiredCapabilities: ['items:delete'], risk: 'destructive', ...definition });

export const site = (...events: GovernanceEvent[]): Site =>
  [{ type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } } as const, ...events].reduce(governance.evolve, governance.initial) as Site;

export const vetoWindow: GovernanceEvent = { type: 'FlagChanged', data: { flag: 'vetoWindow', on: true } };
export const role = (name: string, ...capabilities: string[]): GovernanceEvent => ({ type: 'RoleDefined', data: { role: { name, description: '', capabilities } } });
export const grant = (agentRole: string, capability: string, level: number, expiresAt: string | null = null): GovernanceEvent => ({
  type: 'AutonomyGranted', data: { agentRole, capability, level, from: null, expiresAt, grantedBy: 'key_ada' },
});
export const freeze = (scope: 'role' | 'site' | 'intent', targetId: string | null): GovernanceEvent => ({
  type: 'ScopeFrozen', data: { freezeId: `freeze ${scope}`, scope, targetId, reason: null, by: 'key_ada' },
});
export const rules = (...given: Extract<GovernanceEvent, { type: 'PolicyChanged' }>['data']['rules']): GovernanceEvent => ({ type: 'PolicyChanged', data: { rules: given } });

export const run = ({ envelope, agentRole, ...more }: Partial<Omit<LiveRun, 'envelope'>> & { readonly envelope?: Partial<LiveRun['envelope']> } = {}): LiveRun => ({
  runId: 'run_1', goalId: 'goal_1', agentName: 'tester', ...(agentRole !== undefined && { agentRole }), kind: 'external', status: 'running', calls: NO_CALLS, version: 2, approvals: [],
  cancelRequested: false, spent: { toolCalls: 0, runtimeMs: 0, costUsd: 0, artifactBytes: 0 },
  envelope: {
    goalId: 'goal_1', runId: 'run_1', agentName: 'tester', context: { siteId: 'site_a', collections: [], policySnapshotHash: '' },
    budget: { maxToolCalls: 20, maxCostUsd: 2, timeoutMs: 30_000, maxArtifactBytes: 524_288 },
    risk: 'safe', approvalPolicy: 'none', artifacts: [], capabilities: ['*'], principalId: 'key_robot', ...envelope,
  },
  ...more,
});

export const facts = (overrides: Partial<DoorFacts> = {}): DoorFacts => ({
  run: run(), site: site(), tool: tool(), arguments: {}, now: NOW, matches: (pattern, text) => text.includes(pattern), argumentProblems: [],
  capabilities: ['*'], pinnedFields: [], deferral: null, origin: 'user', approved: false, handled: true, ...overrides,
});

export const ask = (overrides: Partial<DoorFacts> = {}) => decideToolCall(facts(overrides));
