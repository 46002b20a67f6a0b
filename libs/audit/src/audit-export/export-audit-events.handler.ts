import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { EventStore } from '@app/event-store';
import type { Recorded } from '@app/kernel';
import { cloudEventOf, type CloudEvent } from '@app/nats/contract';
import type { AuditEventsFilter } from '../audit-events/list-audit-events.query';
import { ExportAuditEvents, type AuditExport } from './export-audit-events.query';

/** The log itself and no read model: an export has what is in it, also while read models are behind. */
@QueryHandler(ExportAuditEvents)
export class ExportAuditEventsHandler implements IQueryHandler<ExportAuditEvents> {
  constructor(private readonly store: EventStore) {}

  async execute({ filter, context: { siteId }, after }: ExportAuditEvents): Promise<AuditExport> {
    const position = await this.store.head();
    return { events: this.selected(filter, siteId, after, position), position };
  }

  private async *selected({ streamId, category, type, ...rest }: AuditEventsFilter, siteId: string, after: bigint, last: bigint): AsyncGenerator<CloudEvent, void, undefined> {
    const inStore = { siteId, ...(streamId !== undefined && { streamId }), ...(category !== undefined && { categories: [category] }), ...(type !== undefined && { types: type }) };
    for await (const page of this.store.readAll(after, { filter: inStore })) {
      for (const event of page) {
        if (event.position > last) return;
        if (isWanted(event, rest)) yield cloudEventOf(event);
      }
    }
  }
}

const isWanted = ({ occurredAt, metadata }: Recorded, { actor, from, to }: Pick<AuditEventsFilter, 'actor' | 'from' | 'to'>): boolean =>
  (actor === undefined || metadata.actor.id === actor) &&
  (from === undefined || Date.parse(occurredAt) >= Date.parse(from)) &&
  (to === undefined || Date.parse(occurredAt) < Date.parse(to));
