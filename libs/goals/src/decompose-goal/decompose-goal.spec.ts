import { describe, expect, it } from '@jest/globals';
import { governance, type Governance } from '@app/governance/contract';
import type { Principal } from '@app/kernel';
import { run, type LiveRun, type Run, type RunEvent } from '@app/runs/contract';
import fc from 'fast-check';
import type { GoalEvent } from '../goal.events';
import { goal } from '../goal.state';
import { DecomposeGoalBody } from './decompose-goal.command';
import { decomposeGoal } from './decompose-goal.decide';

const planner: Principal = { id: 'key_1', kind: 'agent', name: 'p', siteId: 'site_a', sites: ['site_a'], capabilities: [], roles: [], agentRole: 'Planner', platformAdmin: false };
const site = governance.evolve(governance.initial, { type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } });
const opened = (maxToolCalls: number, autonomyCap: number | null = null) => {
  const goalEvents: GoalEvent[] = [
    {
      type: 'GoalCreated',
      data: {
        goalId: 'goal_1', title: 'All', origin: 'user', agentName: 'p', agentRole: 'Planner', parentGoalId: null, intentId: 'int_1', driftFingerprint: null, autonomyCap, priority: 0,
        deadline: null, owner: 'key_1', acceptance: null,
      },
    },
    { type: 'GoalStarted', data: { runId: 'run_1' } },
  ];
  const runEvents: RunEvent[] = [
    { type: 'RunStarted', data: { runId: 'run_1', goalId: 'goal_1', agentName: 'p', agentRole: 'Planner', kind: 'external' } },
    {
      type: 'EnvelopeSealed',
      data: {
        envelope: {
          goalId: 'goal_1', runId: 'run_1', agentName: 'p', agentRole: 'Planner', context: { siteId: 'site_a', collections: [], policySnapshotHash: 'sha256:0' },
          budget: { maxToolCalls, maxCostUsd: 2, timeoutMs: 30_000, maxArtifactBytes: 1 }, risk: 'safe', approvalPolicy: 'none', artifacts: [], capabilities: [], principalId: 'key_1',
        },
      },
    },
  ];
  return { goal: goalEvents.reduce(goal.evolve, goal.initial), run: runEvents.reduce(run.evolve, run.initial as Run), governance: site as Governance };
};
const parts = (wanted: readonly (number | undefined)[]) => DecomposeGoalBody.parse({ goals: wanted.map((maxToolCalls) => ({ title: 'x', agentRole: 'Writer', ...(maxToolCalls !== undefined && { maxToolCalls }) })) }).goals;

describe('Decomposing a goal', () => {
  it('[GOAL-018] never raises the level that the whole may act on', () => {
    fc.assert(fc.property(fc.option(fc.integer({ min: 0, max: 4 })), fc.option(fc.integer({ min: 0, max: 4 })), (whole, part) => {
      const { goals } = DecomposeGoalBody.parse({ goals: [{ title: 'x', agentRole: 'Writer', ...(part !== null && { autonomyCap: part }) }] });
      const decision = decomposeGoal(opened(10, whole), goals, ['goal_2'], 0, planner);
      const cap = decision.ok ? decision.events.children[0]!.data.autonomyCap : undefined;
      expect(cap).toBe(whole === null ? part : part === null ? whole : Math.min(whole, part));
    }), { numRuns: 200 });
  });

  it('[GOAL-019] L11: the shares of all parts never exceed what the run had left, however calls and decompositions alternate', () => {
    const wanted = fc.array(fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined }), { minLength: 1, maxLength: 6 });
    const step = fc.oneof(fc.record({ do: fc.constant('split' as const), wanted }), fc.constant({ do: 'call' as const }));
    fc.assert(fc.property(fc.integer({ min: 0, max: 40 }), fc.array(step, { maxLength: 12 }), (maxToolCalls, steps) => {
      let state = opened(maxToolCalls);
      let given = 0;
      let called = 0;
      for (const [nr, each] of steps.entries()) {
        const live = state.run as LiveRun;
        if (each.do === 'call') {
          if (live.spent.toolCalls >= maxToolCalls) continue;
          called++;
          state = { ...state, run: run.evolve(live, { type: 'BudgetShared', data: { toolCalls: 1, goals: [] } }) };
          continue;
        }
        const left = maxToolCalls - live.spent.toolCalls;
        const decision = decomposeGoal(state, parts(each.wanted), each.wanted.map((_, part) => `goal_${nr}_${part}`), 0, planner);
        if (!decision.ok) {
          expect(decision.rejection.code).toBe('VALIDATION_FAILED');
          continue;
        }
        const shares = decision.events.children.map(({ data }) => data.budget?.maxToolCalls ?? 0);
        const sum = shares.reduce((total, share) => total + share, 0);
        expect(sum).toBeLessThanOrEqual(left);
        expect(shares.every((share) => share >= 0)).toBe(true);
        given += sum;
        state = { ...state, goal: decision.events.goal.reduce(goal.evolve, state.goal), run: decision.events.run.reduce(run.evolve, state.run) };
        expect((state.run as LiveRun).spent.toolCalls).toBe(given + called);
      }
      expect(given + called).toBeLessThanOrEqual(maxToolCalls);
    }), { numRuns: 300 });
  });
});
