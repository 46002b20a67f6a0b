import { governance, resolveAutonomy, toolOf, type GovernanceEvent, type Site } from '@app/governance/contract';
import { context } from '@app/kernel/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { demotionsFor, levelNow } from './demotion.policy';
import { incident } from './incident.state';
import { openIncident } from './open-incident/open-incident.decide';

const NOW = new Date('2030-01-01T10:00:00.000Z');
const ROLE = 'Writer';
const CAPABILITIES = ['items:update', 'items:delete', 'items:write'] as const;

const tool = (name: string, capability: string): GovernanceEvent => ({
  type: 'ToolRegistered',
  data: { tool: { name, kind: 'skill', description: name, inputSchema: {}, requiredCapabilities: [capability], risk: 'write', timeoutMs: 1_000, owner: 'core' } },
});
const OPENING: readonly GovernanceEvent[] = [
  { type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } },
  { type: 'RoleDefined', data: { role: { name: ROLE, description: 'Writes', capabilities: [...CAPABILITIES] } } },
  // items:update is safe, items:delete is dangerous, items:write is both.
  tool('updateItem', 'items:update'), tool('deleteItem', 'items:delete'), tool('writeItem', 'items:write'), tool('deleteDraft', 'items:write'),
];
const TOOLS = ['updateItem', 'deleteItem', 'writeItem', 'deleteDraft'] as const;
const site = (...events: readonly GovernanceEvent[]) => [...OPENING, ...events].reduce(governance.evolve, governance.initial) as Site;
const granted = (capability: string, level: number, expiresAt: string | null = null): GovernanceEvent => ({
  type: 'AutonomyGranted', data: { agentRole: ROLE, capability, level, from: null, expiresAt, grantedBy: 'key_ada' },
});
const levelOf = (state: Site, name: (typeof TOOLS)[number], now: Date) => {
  const found = toolOf(state, name)!;
  return resolveAutonomy(state, found, found.isDangerous, ROLE, [], now);
};
const after = (state: Site, named: { agentRole: string | null; capability: string | null; severity: 'low' | 'medium' | 'high' }) => {
  const opening = { incidentId: 'inc_1', source: 'human_report' as const, runId: null, detail: 'It went wrong', ...named };
  const opened = openIncident({ incident: incident.initial, governance: state }, opening, context({ now: NOW }));
  if (!opened.ok) throw new Error(opened.rejection.detail);
  return { site: opened.events.governance.reduce(governance.evolve, state) as Site, events: opened.events };
};

const level = fc.integer({ min: 0, max: 4 });
const grants = fc.array(
  fc.record({ capability: fc.constantFrom(...CAPABILITIES), level, expiresAt: fc.constantFrom(null, '2029-01-01T00:00:00.000Z', '2030-06-01T00:00:00.000Z') }),
  { maxLength: 6 },
);
const severity = fc.constantFrom('low', 'medium', 'high');

describe('Demotion', () => {
  it('[TRUST-030] lowers the named level by one, from a grant or from the default, down to 0', () => {
    const one = (events: readonly GovernanceEvent[], capability: string) => demotionsFor(site(...events), { agentRole: ROLE, capability, severity: 'low' }, NOW);
    expect(one([granted('items:update', 4)], 'items:update')).toEqual([{ agentRole: ROLE, capability: 'items:update', from: 4, to: 3 }]);
    expect(one([], 'items:update')).toMatchObject([{ from: 2, to: 1 }]);
    expect(one([], 'items:delete')).toMatchObject([{ from: 1, to: 0 }]);
    expect(one([granted('items:update', 0)], 'items:update')).toEqual([]);
  });

  it('[TRUST-031] goes straight to level 1 when it is severe, and raises nothing', () => {
    const to = (from: number) => demotionsFor(site(granted('items:update', from)), { agentRole: ROLE, capability: 'items:update', severity: 'high' }, NOW).map((each) => each.to);
    expect([4, 3, 2, 1, 0].map(to)).toEqual([[1], [1], [1], [], []]);
  });

  it('costs a role that is named without a capability everything it may do, and nobody when no role is named', () => {
    const state = site(granted('items:update', 4), granted('memory:read', 3));
    expect(demotionsFor(state, { agentRole: ROLE, capability: null, severity: 'medium' }, NOW).map(({ capability, to }) => [capability, to])).toEqual([
      ['items:update', 3], ['memory:read', 2], ['items:delete', 0], ['items:write', 1],
    ]);
    expect(demotionsFor(state, { agentRole: null, capability: null, severity: 'high' }, NOW)).toEqual([]);
  });

  it('names the incident as the cause of the new level', () => {
    const { site: demoted, events } = after(site(granted('items:update', 4)), { agentRole: ROLE, capability: 'items:update', severity: 'low' });
    expect(events.incident[0]!.data).toMatchObject({ demoted: [{ from: 4, to: 3 }] });
    expect(demoted.grants[`items:update|${ROLE}`]).toMatchObject({ level: 3, grantedBy: 'inc_1', cause: 'demoted' });
  });

  it('[TRUST-029] property O7: an incident leaves every named level strictly lower or it was at 1 or below, and nothing rises, then or later', () => {
    fc.assert(
      fc.property(grants, severity, fc.option(fc.constantFrom(...CAPABILITIES)), fc.array(severity, { maxLength: 3 }), (given, first, capability, more) => {
        const before = site(...given.map((each) => granted(each.capability, each.level, each.expiresAt)));
        let now = after(before, { agentRole: ROLE, capability, severity: first }).site;
        for (const name of TOOLS) {
          const named = capability === null || toolOf(before, name)!.requiredCapabilities[0] === capability;
          const [was, is] = [levelOf(before, name, NOW), levelOf(now, name, NOW)];
          expect(is).toBeLessThanOrEqual(was);
          if (named) expect(is < was || was <= 1).toBe(true);
        }
        for (const next of more) {
          const then = after(now, { agentRole: ROLE, capability, severity: next }).site;
          for (const name of TOOLS) expect(levelOf(then, name, NOW)).toBeLessThanOrEqual(levelOf(now, name, NOW));
          now = then;
        }
        // What a human granted for a time ends as they said; what an incident lowered does not come back by itself.
        const later = new Date('2031-01-01T00:00:00.000Z');
        for (const name of TOOLS) {
          const fell = levelOf(now, name, NOW) < levelOf(before, name, NOW);
          if (fell) expect(levelOf(now, name, later)).toBeLessThanOrEqual(Math.max(levelOf(now, name, NOW), 2));
          if (fell && levelOf(now, name, NOW) < 2) expect(levelOf(now, name, later)).toBe(levelOf(now, name, NOW));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('takes the lowest level as the one to rise from, the highest as the one to fall from', () => {
    expect([levelNow(site(), ROLE, 'items:write', NOW, 'lowest'), levelNow(site(), ROLE, 'items:write', NOW, 'highest')]).toEqual([1, 2]);
  });
});
