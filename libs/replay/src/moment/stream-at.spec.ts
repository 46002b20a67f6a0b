import { describe, expect, it } from '@jest/globals';
import { InMemoryEventStore } from '@app/event-store';
import { governance, governanceEvents, type GovernanceEvent } from '@app/governance/contract';
import { Catalogue } from '@app/kernel';
import { context } from '@app/kernel/testing';
import { grantsAt } from './governance-at.policy';
import type { Moment } from './moment.policy';
import { streamAt } from './stream-at';

const at = (time: string) => `2030-01-01T${time}:00.000Z`;

describe('A stream as it was', () => {
  const log = new InMemoryEventStore({ catalogue: new Catalogue(governanceEvents) });
  const wrote = async (time: string, ...events: readonly GovernanceEvent[]) => {
    expect(await log.append([{ streamId: 'governance-site_a', expected: 'any', events }], [], context({ now: new Date(at(time)) }))).toMatchObject({ ok: true });
  };
  const named = (name: string): GovernanceEvent => ({ type: 'RoleDefined', data: { role: { name, description: '', capabilities: [] } } });
  const rolesAt = async (moment: Moment, siteId = 'site_a') => {
    const found = await streamAt(log, governance, { id: 'site_a', siteId, moment });
    return found.ok ? [found.data.version, found.data.state.status === 'site' ? Object.keys(found.data.state.roles) : []] : found.rejection.code;
  };

  it('has the state of a version, of a position in the whole log, or of an instant', async () => {
    await log.append([{ streamId: 'governance-site_b', expected: 'none', events: [{ type: 'SiteCreated', data: { siteId: 'site_b', name: 'B' } }] }], [], context({ siteId: 'site_b', now: new Date(at('08:00')) }));
    await wrote('09:00', { type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } });
    await wrote('10:00', named('One'), named('Two'));
    await wrote('12:00', named('Three'));
    expect([await rolesAt({ version: 2 }), await rolesAt({ position: 3n }), await rolesAt({ time: at('11:00') })]).toEqual([[2, ['One']], [2, ['One']], [3, ['One', 'Two']]]);
    expect([await rolesAt({ time: '2030-01-01T13:00:00+01:00' }), await rolesAt({ position: 999n }), await rolesAt({ version: 99 })]).toEqual(Array(3).fill([4, ['One', 'Two', 'Three']]));
  });

  it('says when it did not exist yet, and nothing to another site', async () => {
    expect([await rolesAt({ position: 1n }), await rolesAt({ time: at('08:59') })]).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    expect(await rolesAt({ version: 1 }, 'site_b')).toBe('FORBIDDEN');
  });

  it('ends at the first later event, even if a slow clock wrote an earlier time behind it', async () => {
    await wrote('11:30', named('Four'));
    expect(await rolesAt({ time: at('11:45') })).toEqual([3, ['One', 'Two']]);
  });

  it('tells which grants were in force at an instant', async () => {
    await wrote('13:00', { type: 'AutonomyGranted', data: { agentRole: 'One', capability: 'items:read', level: 3, from: null, expiresAt: at('14:00'), grantedBy: 'key_ada' } });
    const found = await streamAt(log, governance, { id: 'site_a', siteId: 'site_a', moment: { position: 999n } });
    if (!found.ok || found.data.state.status !== 'site') throw new Error('There is a site');
    const { state } = found.data;
    expect(['13:59', '14:00'].map((time) => grantsAt(state, new Date(at(time))).map(({ level, inForce }) => [level, inForce]))).toEqual([[[3, true]], [[3, false]]]);
  });
});
