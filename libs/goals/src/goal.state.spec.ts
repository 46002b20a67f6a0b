import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GOAL_STATUSES, type GoalEvent } from './goal.events';
import { goal, hasEnded, type Goal } from './goal.state';

const created: GoalEvent = {
  type: 'GoalCreated',
  data: {
    goalId: 'goal_1', title: 'Tidy up', origin: 'user', agentName: 'robot', agentRole: null, parentGoalId: null, intentId: null, driftFingerprint: null,
    autonomyCap: null, priority: 0, deadline: null, owner: 'key_1', acceptance: null,
  },
};
const later: GoalEvent[] = [
  { type: 'GoalStarted', data: { runId: 'run_1' } },
  { type: 'GoalSettled', data: { status: 'completed' } },
  { type: 'GoalSettled', data: { status: 'failed', reason: 'No paper' } },
  { type: 'GoalCancelled', data: {} },
];
const ORDER: Readonly<Record<string, number>> = { open: 0, running: 1, completed: 2, failed: 2, cancelled: 2 };

describe('A goal', () => {
  it('[GOAL-009] has one of five statuses and only moves forward, whatever arrives', () => {
    expect(GOAL_STATUSES).toEqual(['open', 'running', 'completed', 'failed', 'cancelled']);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...later), { maxLength: 12 }), (events) => {
        let state: Goal = goal.evolve(goal.initial, created);
        expect(state.status).toBe('open');
        for (const event of events) {
          const next = goal.evolve(state, event);
          expect(GOAL_STATUSES).toContain(next.status);
          expect(ORDER[next.status]).toBeGreaterThanOrEqual(ORDER[state.status]!);
          if (hasEnded(state)) expect(next).toBe(state);
          state = next;
        }
      }),
      { numRuns: 200 },
    );
  });

  it('keeps the reason why it failed', () => {
    expect([created, later[0]!, later[2]!].reduce(goal.evolve, goal.initial)).toMatchObject({ status: 'failed', reason: 'No paper', runId: 'run_1' });
  });
});
