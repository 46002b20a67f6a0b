import { categoryOf, type Event } from '@app/kernel';
import { projection, type Row } from '@app/projections/contract';

/** What events are looked for by; `at` is the event's position. The event itself stays in the log. */
export type AuditEventRow = Row & {
  readonly at: bigint;
  readonly streamId: string;
  readonly category: string;
  readonly type: string;
  readonly actorId: string;
  readonly actorKind: string;
  readonly occurredAt: string;
};

/**
 * One row for every event of every type, those of capabilities yet to come included. It grows as fast as the log, so it has two indexes
 * only: a site's events in order, and those of one stream. Type, actor and time are looked through in that order.
 */
export const auditEvents = projection<AuditEventRow, Event>({
  name: 'audit_event',
  version: 1,
  columns: { at: 'bigint', streamId: 'text', category: 'text', type: 'text', actorId: 'text', actorKind: 'text', occurredAt: 'text' },
  indexes: [['at'], ['streamId', 'at']],
  rowIds: ({ eventId }) => [eventId],
  on: {},
  any: (_row, { eventId, siteId, position, streamId, type, metadata: { actor }, occurredAt }) => ({
    id: eventId, siteId, at: position, streamId, category: categoryOf(streamId), type, actorId: actor.id, actorKind: actor.kind, occurredAt,
  }),
});
