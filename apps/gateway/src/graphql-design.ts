import { approvals } from '@app/approvals';
import { goals } from '@app/goals';
import type { GraphqlDesign } from '@app/graphql';
import type { AnyProjection } from '@app/projections';
import { runs } from '@app/runs';
import { incidents } from '@app/trust';

const API = '/api/v1';
const RUNS = `${API}/agent/runs`;
const APPROVALS = `${API}/agent/approvals`;
const INCIDENTS = `${API}/agent/incidents`;

const recordsOf = (route: string, projection: unknown, ...ids: readonly string[]) => ({ route, projection: projection as AnyProjection, ids });

/** What GraphQL offers besides every read of the API: everyday commands, records that ids lead to, and what subscribers hear of. */
export const graphqlDesign: GraphqlDesign = {
  groups: ['agent'],
  mutations: {
    createGoal: `POST ${API}/agent/goals`,
    requestToolCall: `POST ${RUNS}/{runId}/tool-calls`,
    decideApproval: `POST ${APPROVALS}/{approvalId}/decide`,
    vetoStaged: `POST ${API}/agent/staged/{stagingId}/veto`,
    freeze: `POST ${API}/agent/kill-switch`,
    liftFreeze: `POST ${API}/agent/kill-switch/lift`,
  },
  records: [
    recordsOf(`${API}/agent/goals`, goals, 'goalId', 'parentGoalId'),
    recordsOf(RUNS, runs, 'runId', 'reviewerRunId', 'approverRunId'),
    recordsOf(APPROVALS, approvals, 'approvalId'),
    recordsOf(INCIDENTS, incidents, 'incidentId'),
  ],
  pieces: [
    { field: 'autonomyGrants', route: `${API}/agent/autonomy`, at: 'grants' },
    { field: 'policyRules', route: `${API}/agent/policies`, at: 'rules' },
    { field: 'freezes', route: `${API}/agent/kill-switch`, at: 'active' },
  ],
  live: [
    { field: 'runUpdated', description: 'A run as it is after something happened in it', route: RUNS, category: 'run', one: 'runId' },
    { field: 'approvalRequested', description: 'A question that waits for a reviewer', route: APPROVALS, category: 'approval', types: ['ApprovalRequested'] },
    { field: 'incidentOpened', description: 'An incident that was opened', route: INCIDENTS, category: 'incident', types: ['IncidentOpened'] },
  ],
  eventsRoute: `${API}/audit/events`,
};
