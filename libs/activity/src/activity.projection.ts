import { approvalLink, type ApprovalEvent } from '@app/approvals/contract';
import type { GovernanceEvent } from '@app/governance/contract';
import { idOf, type Recorded } from '@app/kernel';
import { projection, type Row } from '@app/projections/contract';
import type { StagingEvent } from '@app/staging/contract';
import type { ActivityView } from './activity.view';

export type ActivityRow = Row & ActivityView;

/** One row for each event that people should hear of, for ever. */
export const activity = projection<ActivityRow, StagingEvent | GovernanceEvent | ApprovalEvent>({
  name: 'activity',
  version: 1,
  columns: { kind: 'text', subjectId: 'text', deepLink: 'text', actorId: 'text', actorKind: 'text', runId: 'text', detail: 'jsonb', at: 'text' },
  indexes: [['kind', 'id'], ['subjectId']],
  rowIds: ({ eventId }) => [eventId],
  on: {
    ChangeStaged: (_row, event) => {
      const { collection, itemId, patch, agentRole, autoCommitAt, approvalId } = event.data;
      return entry(event, 'veto.staged', stagingLink, { collection, itemId, fields: Object.keys(patch), agentRole, autoCommitAt, approvalId });
    },
    StagingCommittedPartially: (_row, event) =>
      event.data.cause === 'window' ? entry(event, 'auto_commit_partial', stagingLink, { fields: event.data.fields, dropped: event.data.dropped }) : null,
    ConstitutionActivated: (_row, event) => entry(event, 'constitution.activated', () => '/studio#/constitution', { ...event.data }),
    ReviewEscalated: (_row, event) => entry(event, 'review.escalated', approvalLink, { cause: event.data.cause, verdict: event.data.verdict }),
  },
});

const stagingLink = (stagingId: string) => `/studio#/staged/${stagingId}`;

const entry = (
  { eventId, siteId, streamId, occurredAt, metadata: { actor, runId } }: Recorded,
  kind: ActivityView['kind'],
  link: (id: string) => string,
  detail: ActivityView['detail'],
): ActivityRow => ({
  id: eventId, siteId, kind, subjectId: idOf(streamId), deepLink: link(idOf(streamId)), actorId: actor.id, actorKind: actor.kind, runId: runId ?? null, detail, at: occurredAt,
});
