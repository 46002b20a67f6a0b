import { governance, type Governance, type ToolDefinition } from '@app/governance/contract';
import type { Principal } from '@app/kernel';
import type { FlowEvent } from './flow.events';

export const FLOW = 'flow_01a22c4612f5712dac4379ec3ad00051';
export const OWN_KEY = 'key_01a22c460ba2767a9ba6ae61545fdb14';
export const AT = '2030-01-01T10:00:00.000Z';
const TOMORROW = '2030-01-02T02:00:00.000Z';

export const definer = (overrides: Partial<Principal> = {}): Principal => ({
  id: 'key_ada', kind: 'human', name: 'Ada', siteId: 'site_a', sites: ['site_a'], capabilities: ['flows:write', 'items:read', 'items:write'], roles: [], platformAdmin: false, ...overrides,
});

const tool = (name: string, kind: ToolDefinition['kind']): ToolDefinition => ({
  name, kind, description: 'x', inputSchema: { type: 'object' }, requiredCapabilities: ['items:write'], risk: 'write', timeoutMs: 1_000, owner: 'core',
});
export const site: Governance = [
  { type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } } as const,
  ...[tool('createItem', 'skill'), tool('veto-sweep', 'skill'), tool('crm', 'http'), tool('shell', 'client')].map((each) => ({ type: 'ToolRegistered', data: { tool: each } }) as const),
].reduce(governance.evolve, governance.initial);

type Shape = Extract<FlowEvent, { type: 'FlowChanged' }>['data'];
export const shape = (overrides: Partial<Shape> = {}): Shape => ({
  name: 'Nightly', enabled: true, trigger: { on: 'cron', expression: '0 2 * * *', tz: 'UTC' }, operations: [{ do: 'run-skill', tool: 'createItem', arguments: {} }],
  capabilities: ['items:write'], nextRunAt: TOMORROW, at: AT, ...overrides,
});
export const defined = (overrides: Partial<Shape> = {}): FlowEvent => ({
  type: 'FlowDefined', data: { flowId: FLOW, siteId: 'site_a', principalId: OWN_KEY, agentRole: null, ...shape(overrides) },
});
const occurrence = (nr: number) => ({ occurrenceId: `occurrence-${nr}`, goalId: `goal_${nr}`, runId: `run_${nr}` });
export const started = (nr = 1): FlowEvent => ({ type: 'FlowStarted', data: { ...occurrence(nr), cause: 'cron', nextRunAt: TOMORROW, at: AT } });
export const ran = (nr = 1): FlowEvent => ({ type: 'FlowRan', data: { ...occurrence(nr), status: 'succeeded', results: [], reason: null, at: AT } });
export const changed = (overrides: Partial<Shape> = {}): FlowEvent => ({ type: 'FlowChanged', data: shape(overrides) });
export const deleted: FlowEvent = { type: 'FlowDeleted', data: { at: AT } };
