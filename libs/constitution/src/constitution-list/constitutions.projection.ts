import type { GovernanceEvent } from '@app/governance/contract';
import { idOf } from '@app/kernel';
import { projection } from '@app/projections/contract';
import type { ConstitutionEvent } from '../constitution.events';
import type { ConstitutionView } from './constitution.view';

type Activated = Extract<GovernanceEvent, { type: 'ConstitutionActivated' }>;

/** Every version of a site's constitution. That one is in force is read from the governance stream, all else from its own. */
export const constitutions = projection<ConstitutionView, ConstitutionEvent | Activated>({
  name: 'constitutions',
  version: 1,
  columns: {
    hash: 'text', status: 'text', evaluators: 'jsonb', draftedBy: 'text', draftedAt: 'text', archivedAt: 'text', replacedBy: 'text', lastDryRun: 'jsonb',
  },
  indexes: [['status', 'id']],
  rowIds: (event) => [event.type === 'ConstitutionActivated' ? event.data.constitutionId : idOf(event.streamId)],
  on: {
    ConstitutionDrafted: (_row, { siteId, occurredAt, metadata, data: { constitutionId, hash, evaluators } }) => ({
      id: constitutionId, siteId, hash, status: 'draft', evaluators, draftedBy: metadata.actor.id, draftedAt: occurredAt, archivedAt: null, replacedBy: null, lastDryRun: null,
    }),
    ConstitutionDryRun: (row, { occurredAt, data: { examined, blocked, warned } }) => row && { ...row, lastDryRun: { at: occurredAt, examined, blocked, warned } },
    ConstitutionActivated: (row) => row && { ...row, status: 'active' },
    ConstitutionArchived: (row, { occurredAt, data }) => row && { ...row, status: 'archived', archivedAt: occurredAt, replacedBy: data.replacedBy },
  },
});
