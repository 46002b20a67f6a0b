import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Pool } from 'pg';
import { storedEvents } from '@app/event-store';
import { equalTo, ReadModels, type Condition } from '@app/projections';
import { auditEvents } from './audit-event.projection';
import { auditEventView } from './audit-event.view';
import { ListAuditEvents, type AuditEventsFilter, type AuditEventsPage } from './list-audit-events.query';

@QueryHandler(ListAuditEvents)
export class ListAuditEventsHandler implements IQueryHandler<ListAuditEvents> {
  constructor(
    private readonly reads: ReadModels,
    private readonly pool: Pool,
  ) {}

  async execute({ filter, context: { siteId }, page: { limit, cursor, oldestFirst = false, minPosition } }: ListAuditEvents): Promise<AuditEventsPage> {
    if (minPosition !== undefined) await this.reads.reached(auditEvents, minPosition);
    const { rows, nextCursor, position } = await this.reads.list(auditEvents, {
      siteId, where: conditionsOf(filter), sort: { field: 'at', direction: oldestFirst ? 'asc' : 'desc' }, limit,
      ...(cursor !== undefined && { cursor }),
    });
    const events = new Map((await storedEvents(this.pool, rows.map(({ at }) => at))).map((event) => [event.eventId, event]));
    return { rows: rows.flatMap(({ id }) => events.get(id) ?? []).map(auditEventView), nextCursor, position };
  }
}

/** Instants are compared as text, so they are brought to the one form that the log writes. */
const conditionsOf = ({ type, actor, from, to, ...exact }: AuditEventsFilter): readonly Condition[] => [
  ...equalTo({ ...exact, actorId: actor }),
  ...(type === undefined ? [] : [{ path: 'type', is: 'in' as const, value: type }]),
  ...(from === undefined ? [] : [{ path: 'occurredAt', is: 'gte' as const, value: new Date(from).toISOString() }]),
  ...(to === undefined ? [] : [{ path: 'occurredAt', is: 'lt' as const, value: new Date(to).toISOString() }]),
];
