import { governance, type GovernanceEvent } from '@app/governance/contract';
import type { Principal } from '@app/kernel';
import { run } from '@app/runs/contract';
import { describe, expect, it } from '@jest/globals';
import { goal } from '../goal.state';
import { CreateGoalBody } from './create-goal.command';
import { createGoal } from './create-goal.decide';

const principal = (overrides: Partial<Principal> = {}): Principal => ({
  id: 'key_1', kind: 'agent', name: 'robot', siteId: 'site_a', sites: ['site_a'], capabilities: ['items:read'], roles: [], platformAdmin: false, ...overrides,
});
const site = (...events: GovernanceEvent[]) =>
  [{ type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } } as const, ...events].reduce(governance.evolve, governance.initial);
const create = (body: Record<string, unknown>, by = principal(), rules = site()) =>
  createGoal(
    { goal: goal.initial, run: run.initial, governance: rules }, CreateGoalBody.parse({ title: 'Tidy', agentName: 'robot', ...body }), by,
    { goalId: 'goal_1', runId: 'run_1' }, 'sha256:00', { siteId: 'site_a', canQueue: false },
  );

describe('Creating a goal', () => {
  it('seals what its principal holds and the limits of the site', () => {
    const rules = site({ type: 'SettingsChanged', data: { changes: { budget: { maxToolCalls: 7 } } } });
    expect(create({}, principal(), rules)).toMatchObject({
      ok: true, events: { run: [{ type: 'RunStarted' }, { data: { envelope: { capabilities: ['items:read'], principalId: 'key_1', budget: { maxToolCalls: 7, maxCostUsd: 2 } } } }] },
    });
    expect(create({ budget: { maxToolCalls: 3 } }, principal(), rules)).toMatchObject({ events: { run: [{}, { data: { envelope: { budget: { maxToolCalls: 3 } } } }] } });
  });

  it('lets a key that is bound to a role work as nobody else, so that no freeze of the role is sidestepped', () => {
    const writer = principal({ agentRole: 'Writer' });
    expect(create({}, writer)).toMatchObject({ ok: true, events: { run: [{ data: { agentRole: 'Writer' } }, {}] } });
    expect(create({ agentRole: 'SEO' }, writer)).toMatchObject({ ok: false, rejection: { code: 'FORBIDDEN', facts: { agentRole: 'Writer' } } });
    expect(create({ agentRole: 'SEO' })).toMatchObject({ ok: true });
  });

  it('is refused while its role or the site is frozen', () => {
    const frozen = (scope: 'role' | 'site', targetId: string | null) => site({ type: 'ScopeFrozen', data: { freezeId: 'frz_1', scope, targetId, reason: null, by: 'key_2' } });
    expect(create({ agentRole: 'Writer' }, principal(), frozen('role', 'Writer'))).toMatchObject({ rejection: { kind: 'frozen', code: 'FROZEN' } });
    expect(create({ agentRole: 'SEO' }, principal(), frozen('role', 'Writer'))).toMatchObject({ ok: true });
    expect(create({}, principal(), frozen('site', null))).toMatchObject({ rejection: { code: 'FROZEN' } });
  });

  it('needs a queue for work that is not done in the request', () => {
    expect(create({ execution: 'async', task: { skillName: 'listItems' } })).toMatchObject({ rejection: { code: 'ASYNC_UNAVAILABLE' } });
  });
});
