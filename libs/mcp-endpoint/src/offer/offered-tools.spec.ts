import { describe, expect, it } from '@jest/globals';
import type { GovernanceEvent, ToolDefinition } from '@app/governance/contract';
import { isForbiddenSkill } from '../deny-control-plane/control-plane-call.policy';
import { site } from '../testing/site';
import { offeredTools, type Holder } from './offered-tools.policy';

const registered = (name: string, more: Partial<ToolDefinition> = {}): GovernanceEvent => ({
  type: 'ToolRegistered',
  data: { tool: { name, kind: 'skill', description: name, inputSchema: { type: 'object' }, requiredCapabilities: ['items:read'], risk: 'read', timeoutMs: 1, owner: 'core', ...more } },
});
const world = (...more: GovernanceEvent[]) =>
  site(
    registered('getItem'), registered('deleteItem', { risk: 'destructive' }), registered('createField', { requiredCapabilities: ['schema:update'] }), registered('docs.erase', { kind: 'mcp', dangerous: true }),
    registered('publish_extension'), { type: 'RoleDefined', data: { role: { name: 'Reader', description: '', capabilities: ['items:read'] } } }, ...more,
  );
const names = (given: ReturnType<typeof site>, holder: Partial<Holder> = {}) =>
  offeredTools(given, { roles: [], capabilities: ['*'], bounds: ['*'], agentRole: undefined, ...holder }).map(({ name }) => name);

describe('The tools that are offered', () => {
  it('are those that caller, run and role all reach', () => {
    expect(names(world())).toEqual(['docs.erase', 'getItem']);
    expect(names(world(), { roles: ['admin'] })).toEqual(['createField', 'deleteItem', 'docs.erase', 'getItem']);
    for (const holder of [{ capabilities: [] }, { bounds: ['items:write'] }, { agentRole: 'Nobody' }]) expect(names(world(), { roles: ['admin'], ...holder })).toEqual([]);
    expect(names(world(), { roles: ['admin'], agentRole: 'Reader' })).toEqual(['deleteItem', 'docs.erase', 'getItem']);
    expect(names(world({ type: 'RoleDisabled', data: { name: 'Reader' } }), { agentRole: 'Reader' })).toEqual([]);
  });

  it('are enabled', () => {
    expect(names(world({ type: 'ToolDisabled', data: { name: 'getItem' } }))).toEqual(['docs.erase']);
  });

  it('leave the control plane to admins, whatever the site says of a skill', () => {
    const tamed = world({ type: 'ToolOverridden', data: { name: 'deleteItem', override: { dangerous: false } } }, { type: 'ToolOverridden', data: { name: 'getItem', override: { dangerous: true } } });
    expect(names(tamed)).toEqual(['docs.erase']);
    const forbidden = (name: string, ...roles: 'admin'[]) => isForbiddenSkill(tamed, name, { roles });
    expect([forbidden('deleteItem'), forbidden('getItem'), forbidden('createField'), forbidden('docs.erase'), forbidden('deleteNothing'), forbidden('constructor')]).toEqual([true, true, true, false, false, false]);
    expect(forbidden('deleteItem', 'admin')).toBe(false);
  });
});
