import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { resolveAutonomy } from './autonomy.policy';
import { governance, type Site } from './governance.state';
import { effectiveTool } from './risk.policy';
import { ToolDefinition, ToolGovernance } from './tool.schema';

const NOW = new Date('2030-01-01T10:00:00.000Z');
const at = (offsetMs: number) => new Date(NOW.getTime() + offsetMs).toISOString();

const site = (...grants: readonly (readonly [role: string, capability: string, level: number, expiresAt?: string | null])[]): Site =>
  grants.reduce(
    (state, [agentRole, capability, level, expiresAt = null]) =>
      governance.evolve(state, { type: 'AutonomyGranted', data: { agentRole, capability, level, from: null, expiresAt, grantedBy: 'key_ada' } }),
    governance.evolve(governance.initial, { type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } }),
  ) as Site;
const tool = (irreversible = false, ...requiredCapabilities: string[]) => ({ irreversible, requiredCapabilities: requiredCapabilities.length > 0 ? requiredCapabilities : ['items:update'] });
const level = fc.integer({ min: 0, max: 4 });

describe('The effective level', () => {
  it('[TRUST-001] is the least of grant or default, intent cap, goal cap and hard ceiling, and never above 2 for what cannot be undone', () => {
    const maybe = fc.option(level, { nil: undefined });
    fc.assert(
      fc.property(maybe, fc.boolean(), maybe, maybe, fc.boolean(), fc.boolean(), (granted, expired, intentCap, goalCap, isDangerous, irreversible) => {
        const state = granted === undefined ? site() : site(['Writer', 'items:update', granted, expired ? at(-1) : at(1)]);
        const effective = resolveAutonomy(state, tool(irreversible), isDangerous, 'Writer', [intentCap, goalCap], NOW);
        const base = granted === undefined || expired ? (isDangerous ? 1 : 2) : granted;
        expect(effective).toBe(Math.min(base, intentCap ?? 4, goalCap ?? 4, irreversible ? 2 : 4));
        if (irreversible) expect(effective).toBeLessThanOrEqual(2);
      }),
      { numRuns: 2_000 },
    );
  });

  it('[TRUST-002] is 2 for a safe capability without a grant', () => {
    expect(resolveAutonomy(site(), tool(), false, 'Writer', [], NOW)).toBe(2);
    expect(resolveAutonomy(site(['Other', 'items:update', 4]), tool(), false, 'Writer', [], NOW)).toBe(2);
  });

  it('[TRUST-003] is 1 for a dangerous capability without a grant', () => {
    expect(resolveAutonomy(site(), tool(), true, 'Writer', [], NOW)).toBe(1);
    expect(resolveAutonomy(site(['Writer', 'items:delete', 4]), tool(), true, 'Writer', [], NOW)).toBe(1);
  });

  it('[TRUST-004] is the default from the very instant at which the grant expires', () => {
    const levels = [-1, 0, 1].map((offset) => resolveAutonomy(site(['Writer', 'items:update', 4, at(offset)]), tool(), false, 'Writer', [], NOW));
    expect(levels).toEqual([2, 2, 4]);
  });

  it('[TRUST-005] looks up the first required capability of the tool and no other', () => {
    fc.assert(fc.property(level, level, (first, second) => {
      const state = site(['Writer', 'items:update', first], ['Writer', 'items:read', second]);
      expect(resolveAutonomy(state, tool(false, 'items:update', 'items:read'), false, 'Writer', [], NOW)).toBe(first);
      expect(resolveAutonomy(state, tool(false, 'items:read', 'items:update'), false, 'Writer', [], NOW)).toBe(second);
    }));
  });

  it('knows no grant for a caller without a role', () => {
    expect(resolveAutonomy(site(['Writer', 'items:update', 4]), tool(), false, undefined, [], NOW)).toBe(2);
  });
});

describe('An irreversible tool', () => {
  it('[RISK-001] [TOOL-013] is dangerous, and no override of the site makes it less so or lifts its cap', () => {
    const definition = ToolDefinition.parse({
      name: 'revokeEverything', kind: 'skill', description: 'x', inputSchema: { type: 'object' }, requiredCapabilities: ['items:update'], risk: 'write', irreversible: true, owner: 'core',
    });
    const overrides: ToolGovernance[] = [{}, { dangerous: false }, { risk: 'read' }, { requiredCapabilities: ['items:read'] }, { dangerous: false, risk: 'read', stageable: true }];
    for (const override of overrides) {
      const effective = effectiveTool({ definition, override, enabled: true });
      expect([effective.isDangerous, effective.irreversible]).toEqual([true, true]);
      expect(resolveAutonomy(site(['Writer', effective.requiredCapabilities[0]!, 4]), effective, effective.isDangerous, 'Writer', [], NOW)).toBe(2);
    }
    expect(ToolGovernance.safeParse({ irreversible: false }).success).toBe(false);
  });
});
