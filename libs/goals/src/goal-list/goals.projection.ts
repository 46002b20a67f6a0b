import { FORGOTTEN_TEXT } from '@app/kernel';
import { projection } from '@app/projections/contract';
import type { GoalEvent } from '../goal.events';
import type { GoalView } from './goal.view';

/** Every goal of a site, with its status. */
export const goals = projection<GoalView, GoalEvent>({
  name: 'goals',
  version: 1,
  columns: {
    title: 'text', status: 'text', reason: 'text', origin: 'text', runId: 'text', agentName: 'text', agentRole: 'text', parentGoalId: 'text',
    intentId: 'text', driftFingerprint: 'text', autonomyCap: 'integer', priority: 'integer', deadline: 'text', owner: 'text', acceptance: 'text',
    createdAt: 'text',
  },
  indexes: [['status', 'id'], ['parentGoalId']],
  on: {
    GoalCreated: (_row, { siteId, occurredAt, data: { goalId, budget: _budget, ...data } }) =>
      ({ id: goalId, siteId, ...data, status: 'open', reason: null, runId: null, createdAt: occurredAt }),
    GoalStarted: (row, { data }) => row && { ...row, status: 'running', runId: data.runId },
    GoalSettled: (row, { data }) => row && { ...row, status: data.status, reason: data.reason ?? null },
    GoalCancelled: (row, { data }) => row && { ...row, status: 'cancelled', reason: data.reason ?? null },
    GoalForgotten: (row) => row && { ...row, reason: row.reason === null ? null : FORGOTTEN_TEXT },
  },
});
