import type { Recorded } from '@app/kernel';
import { projection } from '@app/projections/contract';
import type { RunEvent } from '../run.events';
import type { RunRow } from './run-row.view';

/** Every run of a site, with its status. */
export const runs = projection<RunRow, RunEvent>({
  name: 'runs',
  version: 1,
  columns: {
    goalId: 'text', agentName: 'text', agentRole: 'text', kind: 'text', status: 'text', stopReason: 'text', reason: 'text', toolCalls: 'integer',
    startedAt: 'text', endedAt: 'text',
  },
  indexes: [['status', 'id'], ['goalId']],
  on: {
    RunStarted: (_row, { siteId, occurredAt, data: { runId, goalId, agentName, agentRole, kind } }) => ({
      id: runId, siteId, goalId, agentName, agentRole: agentRole ?? null, kind, status: 'running', stopReason: null, reason: null, toolCalls: 0,
      startedAt: occurredAt, endedAt: null,
    }),
    ToolCallAuthorised: (row, { data }) => row && { ...row, toolCalls: row.toolCalls + (data.approvalId === undefined ? 1 : 0) },
    ToolCallParked: (row) => row && { ...row, toolCalls: row.toolCalls + 1 },
    RunParked: (row) => row && { ...row, status: 'awaiting_approval' },
    RunResumed: (row) => row && { ...row, status: 'running' },
    RunSucceeded: (row, event) => ended(row, 'succeeded', event),
    RunFailed: (row, event) => ended(row, 'failed', event),
    RunCancelled: (row, event) => ended(row, 'cancelled', event),
  },
});

type End = { readonly stopReason?: string | undefined; readonly reason?: string | undefined };

const ended = (row: RunRow | null, status: RunRow['status'], { occurredAt, data }: Pick<Recorded, 'occurredAt'> & { readonly data: End }): RunRow | null =>
  row && { ...row, status, stopReason: data.stopReason ?? null, reason: data.reason ?? null, endedAt: occurredAt };
