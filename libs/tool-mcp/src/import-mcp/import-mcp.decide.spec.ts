import { describe, expect, it } from '@jest/globals';
import { governance, toolOf, type Governance, type GovernanceEvent, type ToolDefinition } from '@app/governance/contract';
import fc from 'fast-check';
import { disableChanged } from '../disable-changed-tool/disable-changed-tool.decide';
import { importMcp, type Read } from './import-mcp.decide';

const transport = { type: 'http', url: 'https://docs.example/mcp' } as const;
const tool = (own: string, more: Partial<ToolDefinition> = {}, digest = 'd1', server = 'docs'): ToolDefinition => ({
  name: `${server}.${own}`, kind: 'mcp', description: own, inputSchema: { type: 'object' }, requiredCapabilities: ['mcp:docs'], risk: 'read', timeoutMs: 30_000, owner: 'docs',
  mcp: { server, tool: own, digest }, ...more,
});
const read = (definitions: readonly ToolDefinition[], more: Partial<Read> = {}): Read => ({
  server: 'docs', transport, definitions, upstreamNames: new Set(definitions.map(({ mcp }) => mcp!.tool)), isWhole: true, skipped: [], findings: [], ...more,
});
const site = (...events: GovernanceEvent[]) => [{ type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } } as const, ...events].reduce(governance.evolve, governance.initial);
const after = (state: Governance, given: Read) => {
  const decision = importMcp(state, given);
  if (!decision.ok) throw new Error(decision.rejection.detail);
  const { events } = { events: decision.events.governance };
  const told = events.at(-1)!;
  return { events, state: events.reduce(governance.evolve, state), told: told.type === 'McpServerImported' ? told.data : undefined };
};

describe('The import of an MCP server', () => {
  it('registers what is new, and nothing twice', () => {
    const first = after(site(), read([tool('search'), tool('read')]));
    expect(first.told).toMatchObject({ imported: ['docs.search', 'docs.read'], changed: [], skipped: [], transport });
    expect(toolOf(first.state, 'docs.search')).toMatchObject({ enabled: true, kind: 'mcp' });
    const second = after(first.state, read([tool('search'), tool('read')]));
    expect([second.events.map(({ type }) => type), second.told]).toMatchObject([['McpServerImported'], { imported: [], changed: [] }]);
  });

  it('disables what changed until it is enabled again, and then the new definition counts', () => {
    const { state } = after(site(), read([tool('search')]));
    const again = after(state, read([tool('search', { description: 'other' }, 'd2')]));
    expect(again.told).toMatchObject({ imported: [], changed: ['docs.search'] });
    expect(again.events).toContainEqual({ type: 'ToolDisabled', data: { name: 'docs.search', reason: 'tool_changed' } });
    expect(toolOf(again.state, 'docs.search')).toMatchObject({ enabled: false, description: 'other', mcp: { digest: 'd2' } });
    const reviewed = governance.evolve(again.state, { type: 'ToolEnabled', data: { name: 'docs.search' } });
    expect(after(reviewed, read([tool('search', { description: 'other' }, 'd2')])).told).toMatchObject({ changed: [] });
    expect(toolOf(reviewed, 'docs.search')).toMatchObject({ enabled: true, description: 'other' });
  });

  it('keeps who may call a tool, and what an admin said of it, when it changes', () => {
    const { state } = after(site(), read([tool('search', { requiredCapabilities: ['research:do'] })]));
    const reviewed = governance.evolve(state, { type: 'ToolOverridden', data: { name: 'docs.search', override: { risk: 'destructive' } } });
    const again = after(reviewed, read([tool('search', { risk: 'read' }, 'd2')]));
    expect(toolOf(again.state, 'docs.search')).toMatchObject({ requiredCapabilities: ['research:do'], risk: 'destructive' });
  });

  it('disables what is gone, but only when it was told everything', () => {
    const { state } = after(site(), read([tool('search'), tool('read')]));
    expect(after(state, read([tool('search')])).told).toMatchObject({ changed: ['docs.read'] });
    expect(after(state, read([tool('search')], { isWhole: false })).told).toMatchObject({ changed: [] });
    expect(after(state, read([tool('search')], { upstreamNames: new Set(['search', 'read']), skipped: [{ name: 'read', reason: 'x' }] })).told).toMatchObject({ changed: [] });
  });

  it('[EXT-010] never takes the name of another tool: of a skill, of another server, of another tool of the same server', () => {
    const skill = tool('search', { kind: 'skill', name: 'docs.search', owner: 'core' });
    const { mcp: _none, ...core } = skill;
    for (const other of [core, tool('search', {}, 'd1', 'files'), tool('find')]) {
      const named = { ...other, name: 'docs.search' };
      const { told, state } = after(site({ type: 'ToolRegistered', data: { tool: named } }), read([tool('search', {}, 'd9')], { upstreamNames: new Set(['search', 'find']) }));
      expect(told).toMatchObject({ imported: [], changed: [], skipped: [{ name: 'docs.search', reason: 'There is another tool of this name' }] });
      expect(toolOf(state, 'docs.search')).toMatchObject({ ...named, enabled: true });
    }
  });

  it('[EXT-010] leaves every tool that is not its own as it is, whatever was imported before (property MCP3)', () => {
    const own = fc.constantFrom('a', 'b', 'c');
    const listed = fc.uniqueArray(fc.record({ own, digest: fc.constantFrom('d1', 'd2') }), { selector: (each) => each.own, maxLength: 3 });
    const imports = fc.array(fc.record({ server: fc.constantFrom('docs', 'files'), listed, isWhole: fc.boolean() }), { minLength: 1, maxLength: 8 });
    const skills = fc.uniqueArray(fc.constantFrom('docs.a', 'files.b', 'getItem'), { maxLength: 3 });
    fc.assert(
      fc.property(imports, skills, (made, taken) => {
        const { mcp: _none, ...core } = tool('any', { kind: 'skill' });
        let state = site(...taken.map((name) => ({ type: 'ToolRegistered', data: { tool: { ...core, name } } }) as const));
        for (const { server, listed: tools, isWhole } of made) {
          const before = state;
          const step = after(before, { ...read(tools.map(({ own: name, digest }) => tool(name, {}, digest, server)), { isWhole }), server });
          state = step.state;
          if (before.status === 'none' || state.status === 'none') throw new Error('There is a site');
          for (const [name, { definition }] of Object.entries(before.tools)) if (definition.mcp?.server !== server) expect(state.tools[name]).toBe(before.tools[name]);
          for (const name of [...step.told!.imported, ...step.told!.changed]) expect(state.tools[name]!.definition.mcp?.server).toBe(server);
          for (const name of step.told!.changed) expect(state.tools[name]!.enabled).toBe(false);
          for (const { name } of step.told!.skipped) expect(state.tools[name]).toBe(before.tools[name]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is not made on a site that is not there', () => {
    expect(importMcp(governance.initial, read([]))).toMatchObject({ ok: false, rejection: { code: 'FORBIDDEN' } });
  });
});

describe('A tool that is found changed at a call', () => {
  const { state } = after(site(), read([tool('search', { requiredCapabilities: ['research:do'] })]));
  const events = (of: Governance, digest = 'd1', changed: ToolDefinition | undefined = tool('search', {}, 'd2')) => {
    const decision = disableChanged(of, 'docs.search', digest, changed);
    return decision.ok ? decision.events.governance : [];
  };

  it('is disabled, with what it is now for the reviewer', () => {
    const now = events(state).reduce(governance.evolve, state);
    expect(toolOf(now, 'docs.search')).toMatchObject({ enabled: false, requiredCapabilities: ['research:do'], mcp: { digest: 'd2' } });
    expect(events(state, 'd1', undefined).map(({ type }) => type)).toEqual(['ToolRegistered', 'ToolDisabled']);
    expect(disableChanged(state, 'docs.search', 'd1', undefined)).toEqual({ ok: true, events: { governance: [{ type: 'ToolDisabled', data: { name: 'docs.search', reason: 'tool_changed' } }] } });
  });

  it('is left alone when it was disabled or reviewed meanwhile', () => {
    expect(events(governance.evolve(state, { type: 'ToolDisabled', data: { name: 'docs.search' } }))).toEqual([]);
    expect(events(state, 'd0')).toEqual([]);
    expect(disableChanged(state, 'docs.other', 'd1', undefined)).toEqual({ ok: true, events: { governance: [] } });
  });
});
