import { projection } from '@app/projections/contract';
import type { RunEvent } from '@app/runs/contract';
import type { TrustRun } from './trust-run.view';

/** Runs of agents that have a role: the evidence for and against their promotion. */
export const trustRuns = projection<TrustRun, RunEvent>({
  name: 'trust_runs',
  version: 1,
  columns: { agentRole: 'text', capabilities: 'text[]', status: 'text', endedAt: 'text' },
  indexes: [['agentRole', 'endedAt']],
  on: {
    RunStarted: (_row, { siteId, data: { runId, agentRole } }) =>
      agentRole === undefined ? null : { id: runId, siteId, agentRole, capabilities: [], status: 'running', endedAt: null },
    ToolCallAuthorised: (row, { data }) => used(row, data.capability),
    ToolCallParked: (row, { data }) => used(row, data.capability),
    RunSucceeded: (row, { occurredAt }) => row && { ...row, status: 'succeeded', endedAt: occurredAt },
    RunFailed: (row, { occurredAt }) => row && { ...row, status: 'failed', endedAt: occurredAt },
    RunCancelled: (row, { occurredAt }) => row && { ...row, status: 'cancelled', endedAt: occurredAt },
  },
});

const used = (row: TrustRun | null, capability: string): TrustRun | null =>
  row && !row.capabilities.includes(capability) ? { ...row, capabilities: [...row.capabilities, capability] } : row;
