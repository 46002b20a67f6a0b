import { describe, expect, it } from '@jest/globals';
import { governance, type GovernanceEvent } from '@app/governance/contract';
import { ada, context, robot, specification } from '@app/kernel/testing';
import { grantAutonomy } from './grant-autonomy.decide';

const given = specification(governance);
const created: GovernanceEvent = { type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } };
const writer: GovernanceEvent = { type: 'RoleDefined', data: { role: { name: 'Writer', description: '', capabilities: [] } } };
const granted = (level: number, expiresAt: string | null = null, from: number | null = null): GovernanceEvent => ({
  type: 'AutonomyGranted', data: { agentRole: 'Writer', capability: 'items:update', level, from, expiresAt, grantedBy: ada.id },
});
const holder = { capabilities: ['items:update'], roles: [] };
const body = { agentRole: 'Writer', capability: 'items:update', level: 3 };
const grant = (more: Partial<typeof body & { expiresAt: string }> = {}, ...history: GovernanceEvent[]) => given(created, writer, ...history).when((state) => grantAutonomy(state, { ...body, ...more }, holder, context()));

describe('Granting autonomy', () => {
  it('sets a level and says what counted before', () => {
    grant().then({ governance: [granted(3)] });
    grant({ level: 0 }, granted(3)).then({ governance: [granted(0, null, 3)] });
    grant({}, granted(4, '2030-01-01T09:00:00.000Z')).then({ governance: [granted(3)] });
    grant({ expiresAt: '2030-02-01T00:00:00+01:00' }, granted(3)).then({ governance: [granted(3, '2030-01-31T23:00:00.000Z', 3)] });
  });

  it('does nothing when it is as wanted already', () => {
    grant({}, granted(3)).then({ governance: [] });
  });

  it('cannot be given by somebody who does not hold the capability, unless they are an admin', () => {
    const by = (rights: { capabilities: string[]; roles: 'admin'[] }) => grantAutonomy([created, writer].reduce(governance.evolve, governance.initial), body, rights, context());
    expect(by({ capabilities: ['items:read'], roles: [] })).toMatchObject({ ok: false, rejection: { code: 'FORBIDDEN', facts: { beyond: ['items:update'] } } });
    expect(by({ capabilities: [], roles: ['admin'] })).toMatchObject({ ok: true });
  });

  it('is for humans only, whatever else somebody may do', () => {
    for (const actor of [robot, { kind: 'service' as const, id: 'key_service' }]) {
      expect(grantAutonomy([created, writer].reduce(governance.evolve, governance.initial), { ...body, level: 0 }, holder, context({ actor }))).toMatchObject({ ok: false, rejection: { code: 'FORBIDDEN' } });
    }
  });

  it('is refused when it could have no effect', () => {
    grant({ agentRole: 'Nobody' }).thenRejected('VALIDATION_FAILED');
    grant({ agentRole: 'constructor' }).thenRejected('VALIDATION_FAILED');
    grant({ expiresAt: '2030-01-01T10:00:00.000Z' }).thenRejected('VALIDATION_FAILED');
  });
});
