import { approvalLink, type ApprovalEvent } from '@app/approvals/contract';
import type { ItemEvent } from '@app/content/contract';
import type { GovernanceEvent } from '@app/governance/contract';
import { idOf, type Recorded } from '@app/kernel';
import type { McpEvent } from '@app/mcp-endpoint/contract';
import { projection, type Row } from '@app/projections/contract';
import type { StagingEvent } from '@app/staging/contract';
import type { ActivityView } from './activity.view';

export type ActivityRow = Row & ActivityView;

/** One row for each event that people should hear of, for ever. */
export const activity = projection<ActivityRow, StagingEvent | GovernanceEvent | ApprovalEvent | McpEvent | ItemEvent>({
  name: 'activity',
  version: 1,
  columns: { kind: 'text', subjectId: 'text', deepLink: 'text', actorId: 'text', actorKind: 'text', runId: 'text', detail: 'jsonb', at: 'text' },
  indexes: [['kind', 'id'], ['subjectId']],
  rowIds: ({ eventId, type, data }) => [type === 'ChangeForgotten' ? data.stagedEventId : eventId],
  on: {
    ChangeStaged: (_row, event) => {
      const { collection, itemId, patch, agentRole, autoCommitAt, approvalId } = event.data;
      return entry(event, 'veto.staged', stagingLink, { collection, itemId, fields: Object.keys(patch), agentRole, autoCommitAt, approvalId });
    },
    StagingCommittedPartially: (_row, event) =>
      event.data.cause === 'window' ? entry(event, 'auto_commit_partial', stagingLink, { fields: event.data.fields, dropped: event.data.dropped }) : null,
    ChangeForgotten: (row) => row && { ...row, detail: { ...row.detail, fields: [] } },
    ConstitutionActivated: (_row, event) => entry(event, 'constitution.activated', () => '/studio#/constitution', { ...event.data }),
    ControlPlaneSkillDenied: (_row, event) => entry(event, 'mcp_control_plane_skill_denied', () => '/studio#/keys', { tool: event.data.tool, runId: event.data.runId }),
    // A person said that an edit by hand was no exception: the rules of these intents are to change.
    EditExplained: (_row, event) => {
      const { collection, meaning, intents, values, note = null } = event.data;
      return meaning === 'rule' ? entry(event, 'rule.suggested', () => `/studio#/intents/${intents[0] ?? ''}`, { collection, intents, values, note }) : null;
    },
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
