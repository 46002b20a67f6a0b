import { describe, expect, it } from '@jest/globals';
import { governance, type Governance, type GovernanceEvent } from '@app/governance/contract';
import type { Principal } from '@app/kernel';
import { specification } from '@app/kernel/testing';
import { run } from '@app/runs/contract';
import type { GoalEvent } from '../goal.events';
import { goal, type Goal } from '../goal.state';
import { startGoal } from './start-goal.decide';

const given = specification(goal);
const INTENT = `int_${'1'.repeat(32)}`;
const created = (more: object = {}): GoalEvent => ({
  type: 'GoalCreated',
  data: {
    goalId: 'goal_1', title: 'Repair', origin: 'reconciler', agentName: 'reconciler', agentRole: 'Writer', parentGoalId: null, intentId: INTENT, driftFingerprint: 'f', autonomyCap: 1, priority: 0,
    deadline: null, owner: 'reconciler', acceptance: null, budget: { maxCostUsd: 0.5, maxWritesPerMinute: 6 }, ...more,
  },
});
const agent = (more: Partial<Principal> = {}): Principal => ({ id: 'key_robot', kind: 'agent', name: 'robot', siteId: 'site_a', sites: ['site_a'], capabilities: ['items:update'], roles: [], platformAdmin: false, ...more });
const site = (...events: GovernanceEvent[]): Governance => [{ type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } } as const, ...events].reduce(governance.evolve, governance.initial);
const start = (principal = agent(), rules = site()) => (state: Goal) =>
  startGoal({ goal: state, run: run.initial, governance: rules }, { agentName: 'robot', approvalPolicy: 'none' }, principal, 'run_1', 'sha256:0', { siteId: 'site_a' });

describe('Taking up a goal', () => {
  it('opens a run within the bounds of the goal, with the capabilities of whoever takes it up', () => {
    const { decision } = given(created()).when(start());
    expect(decision).toMatchObject({
      ok: true,
      events: {
        goal: [{ type: 'GoalStarted', data: { runId: 'run_1' } }],
        run: [
          { type: 'RunStarted', data: { goalId: 'goal_1', agentRole: 'Writer', kind: 'external', agentName: 'robot' } },
          { type: 'EnvelopeSealed', data: { envelope: { autonomyCap: 1, capabilities: ['items:update'], principalId: 'key_robot', budget: { maxCostUsd: 0.5, maxWritesPerMinute: 6, maxToolCalls: 20 } } } },
        ],
      },
    });
  });

  it('is done once: what is under way or over is a conflict, what is not there is missing', () => {
    given(created(), { type: 'GoalStarted', data: { runId: 'run_0' } }).when(start()).thenRejected('CONFLICT');
    given(created(), { type: 'GoalCancelled', data: {} }).when(start()).thenRejected('CONFLICT');
    given().when(start()).thenRejected('FORBIDDEN');
  });

  it('is refused to a key of another role, and while the work is frozen', () => {
    given(created()).when(start(agent({ agentRole: 'SEO' }))).thenRejected('FORBIDDEN');
    expect(given(created()).when(start(agent({ agentRole: 'Writer' }))).decision.ok).toBe(true);
    const frozen = (scope: 'intent' | 'role' | 'site', targetId: string | null) => site({ type: 'ScopeFrozen', data: { freezeId: 'f1', scope, targetId, reason: null, by: 'key_ada' } });
    for (const rules of [frozen('intent', INTENT), frozen('role', 'Writer'), frozen('site', null)]) given(created()).when(start(agent(), rules)).thenRejected('FROZEN');
    expect(given(created()).when(start(agent(), frozen('role', 'SEO'))).decision.ok).toBe(true);
  });
});
