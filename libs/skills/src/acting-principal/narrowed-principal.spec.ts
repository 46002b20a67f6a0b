import { describe, expect, it } from '@jest/globals';
import { governance, type GovernanceEvent } from '@app/governance/contract';
import { covers } from '@app/kernel';
import type { OpenedRun } from '@app/runs/contract';
import { principal, type KnownPrincipal } from '@app/sites/contract';
import fc from 'fast-check';
import { narrowedPrincipal } from './narrowed-principal.policy';

const now = new Date('2026-11-30T12:00:00.000Z');
const site = (capabilities: string[], enabled = true) => {
  const events: GovernanceEvent[] = [{ type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } }, { type: 'RoleDefined', data: { role: { name: 'Clerk', description: '', capabilities } } }];
  return [...events, ...(enabled ? [] : [{ type: 'RoleDisabled', data: { name: 'Clerk' } } as const])].reduce(governance.evolve, governance.initial);
};
const key = (capabilities: string[], roles: ('admin' | 'veto')[] = []) => [
  { type: 'PrincipalCreated', data: { principalId: 'key_1', name: 'Ada', kind: 'agent', siteId: 'site_a', capabilities, roles, agentRole: null, platformAdmin: true } } as const,
  { type: 'ApiKeyIssued', data: { keyId: 'key_1', secretHash: 'a'.repeat(64), expiresAt: null } } as const,
].reduce(principal.evolve, principal.initial) as KnownPrincipal;
const run = (capabilities: string[], agentRole?: string) => ({ envelope: { capabilities }, ...(agentRole !== undefined && { agentRole }) }) as unknown as OpenedRun;

describe('Whoever acts in a run', () => {
  it('holds what its key, its run and its role all hold, and no role of a person', () => {
    const lists = fc.uniqueArray(fc.constantFrom('items:read', 'items:update', 'api-keys:create', '*'));
    fc.assert(
      fc.property(lists, lists, lists, (held, opened, ofRole) => {
        const acting = narrowedPrincipal(key(held, ['admin', 'veto']), run(opened, 'Clerk'), site(ofRole), now);
        expect(acting).toMatchObject({ roles: [], platformAdmin: false, agentRole: 'Clerk' });
        for (const one of ['items:read', 'items:update', 'api-keys:create', 'schema:read'])
          expect(covers(acting.capabilities, one)).toBe([held, opened, ofRole].every((some) => covers(some, one)));
      }),
    );
  });

  it('holds nothing under a role that nobody knows or that is disabled', () => {
    expect(narrowedPrincipal(key(['*']), run(['*'], 'Nobody'), site(['*']), now).capabilities).toEqual([]);
    expect(narrowedPrincipal(key(['*']), run(['*'], 'Clerk'), site(['*'], false), now).capabilities).toEqual([]);
    expect(narrowedPrincipal(key(['*']), run(['*']), site([]), now).capabilities).toEqual(['*']);
  });
});
