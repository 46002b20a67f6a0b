import { FORGOTTEN } from '@app/kernel';
import { projection, type Row } from '@app/projections/contract';
import type { StagingEvent } from '../staging.events';
import type { StagedView } from './staged.view';

/** `dueAt` is when its commit is tried next; null when it is settled, or when only a person can go on. */
export type StagingRow = Row & Omit<StagedView, 'stagingId' | 'remainingMs'> & { readonly dueAt: string | null };

/** Every staged change of a site and what became of it. */
export const stagings = projection<StagingRow, StagingEvent>({
  name: 'stagings',
  version: 1,
  columns: {
    status: 'text', collection: 'text', itemId: 'text', patch: 'jsonb', before: 'jsonb', agentName: 'text', agentRole: 'text', capability: 'text', goalId: 'text',
    runId: 'text', callId: 'text', approvalId: 'text', constitutionHash: 'text', stagedAt: 'text', autoCommitAt: 'text', attempts: 'integer', lastError: 'text',
    settledAt: 'text', settledBy: 'text', outcome: 'text', dropped: 'jsonb', dueAt: 'text',
  },
  indexes: [['status', 'autoCommitAt'], ['dueAt'], ['runId']],
  on: {
    ChangeStaged: (_row, { siteId, data }) => {
      const {
        stagingId, collection, itemId, patch, before, agentName, agentRole, capability, goalId, runId, callId, approvalId, constitutionHash, stagedAt, autoCommitAt,
      } = data;
      return {
        id: stagingId, siteId, status: 'staged', collection, itemId, patch, before, agentName, agentRole, capability, goalId, runId, callId, approvalId,
        constitutionHash, stagedAt, autoCommitAt, attempts: 0, lastError: null, settledAt: null, settledBy: null, outcome: null, dropped: [], dueAt: autoCommitAt,
      };
    },
    StagingVetoed: (row, { data: { by, vetoedAt } }) => row && { ...row, status: 'vetoed', outcome: 'vetoed', settledAt: vetoedAt, settledBy: by.id, dueAt: null },
    StagingCommitted: (row, { data: { cause, by, committedAt } }) =>
      row && { ...row, status: 'committed', outcome: cause === 'window' ? 'auto_commit' : 'commit', settledAt: committedAt, settledBy: by?.id ?? null, dueAt: null },
    StagingCommittedPartially: (row, { data: { cause, by, committedAt, dropped } }) =>
      row && {
        ...row, status: 'committed_partially', outcome: cause === 'window' ? 'auto_commit_partial' : 'commit_partial', settledAt: committedAt,
        settledBy: by?.id ?? null, dropped, dueAt: null,
      },
    StagingCommitFailed: (row, { data: { attempt, error, retryAt } }) => row && { ...row, attempts: attempt, lastError: error, dueAt: retryAt },
    ChangeForgotten: (row) => row && { ...row, patch: FORGOTTEN, before: FORGOTTEN },
    StagingAbandoned: (row, { data: { abandonedAt, dropped } }) => row && { ...row, status: 'abandoned', outcome: 'abandoned', settledAt: abandonedAt, dropped, dueAt: null },
  },
});
