import { describe, expect, it } from '@jest/globals';
import { registrationsDue } from './core-tools.policy';
import type { GovernanceEvent } from './governance.events';
import { governance } from './governance.state';
import type { ToolDefinition } from './tool.schema';

const tool = (more: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name: 'publish', kind: 'skill', description: 'x', inputSchema: { type: 'object' }, requiredCapabilities: ['items:write'], risk: 'write', timeoutMs: 30_000, owner: 'core', ...more,
});
const after = (...events: readonly GovernanceEvent[]) => events.reduce(governance.evolve, governance.evolve(governance.initial, { type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } }));

describe('The skills of a new program', () => {
  it('are registered when they are new or defined otherwise', () => {
    expect(registrationsDue(after(), [tool()])).toEqual([{ type: 'ToolRegistered', data: { tool: tool() } }]);
    const known = after({ type: 'ToolRegistered', data: { tool: tool() } });
    expect(registrationsDue(known, [tool()])).toEqual([]);
    expect(registrationsDue(known, [tool({ risk: 'create' })])).toEqual([{ type: 'ToolRegistered', data: { tool: tool({ risk: 'create' }) } }]);
  });

  it('take their names from tools of the site\'s own, and nothing that was said about those', () => {
    const own = after({ type: 'ToolRegistered', data: { tool: tool({ kind: 'client' }) } }, { type: 'ToolOverridden', data: { name: 'publish', override: { risk: 'read' } } }, { type: 'ToolDisabled', data: { name: 'publish' } });
    const due = registrationsDue(own, [tool()]);
    expect(due.map(({ type }) => type)).toEqual(['ToolRemoved', 'ToolRegistered']);
    const state = due.reduce(governance.evolve, own);
    expect(state.status === 'site' && state.tools['publish']).toEqual({ definition: tool(), override: {}, enabled: true });
  });
});
