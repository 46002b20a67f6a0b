import type { Recorded } from '@app/kernel';
import { projection } from '@app/projections/contract';
import type { RunEvent } from '../run.events';
import type { RunRow } from './run-row.view';

/** Every run of a site, with its status. */
export const runs = projection<RunRow, RunEvent>({
  name: 'runs',
  version: 2,
  columns: {
    goalId: 'text', agentName: 'text', agentRole: 'text', kind: 'text', status: 'text', stopReason: 'text', reason: 'text', toolCalls: 'integer',
    startedAt: 'text', endedAt: 'text', worker: 'text',
  },
  indexes: [['status', 'id'], ['goalId']],
  on: {
    RunQueued: (_row, { siteId, occurredAt, data }) => opened(data, { siteId, kind: 'task', status: 'queued', startedAt: occurredAt }),
    RunStarted: (_row, { siteId, occurredAt, data }) => opened(data, { siteId, kind: data.kind, status: 'running', startedAt: occurredAt }),
    ToolCallAuthorised: (row, { data }) => row && { ...row, toolCalls: row.toolCalls + (data.approvalId === undefined ? 1 : 0) },
    ToolCallParked: (row) => row && { ...row, toolCalls: row.toolCalls + 1 },
    LeaseTaken: (row, { data }) => row && { ...row, worker: data.worker },
    LeaseLost: (row) => row && { ...row, worker: null },
    RunParked: (row) => row && { ...row, status: 'awaiting_approval', worker: null },
    RunResumed: (row) => row && { ...row, status: 'running' },
    RunSucceeded: (row, event) => ended(row, 'succeeded', event),
    RunFailed: (row, event) => ended(row, 'failed', event),
    RunCancelled: (row, event) => ended(row, 'cancelled', event),
    RunForgotten: (row) => row && { ...row, reason: null },
  },
});

type Named = { readonly runId: string; readonly goalId: string; readonly agentName: string; readonly agentRole?: string | undefined };

const opened = ({ runId, goalId, agentName, agentRole = undefined }: Named, facts: Pick<RunRow, 'siteId' | 'kind' | 'status' | 'startedAt'>): RunRow => ({
  id: runId, goalId, agentName, agentRole: agentRole ?? null, ...facts, stopReason: null, reason: null, toolCalls: 0, endedAt: null, worker: null,
});

type End = { readonly stopReason?: string | undefined; readonly reason?: string | undefined };

const ended = (row: RunRow | null, status: RunRow['status'], { occurredAt, data }: Pick<Recorded, 'occurredAt'> & { readonly data: End }): RunRow | null =>
  row && { ...row, status, stopReason: data.stopReason ?? null, reason: data.reason ?? null, endedAt: occurredAt, worker: null };
