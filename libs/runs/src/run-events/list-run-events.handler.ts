import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { EventStore } from '@app/event-store';
import { missing, type Outcome, type Recorded } from '@app/kernel';
import { ListRunEvents, type RunEventsPage } from './list-run-events.query';

@QueryHandler(ListRunEvents)
export class ListRunEventsHandler implements IQueryHandler<ListRunEvents> {
  constructor(private readonly store: EventStore) {}

  async execute({ runId, siteId, page: { limit, after } }: ListRunEvents): Promise<Outcome<RunEventsPage>> {
    const streamId = `run-${runId}`;
    const last = (await this.store.versions([streamId])).get(streamId) ?? 0;
    const rows: Recorded[] = [];
    for await (const event of this.store.read(streamId, last > after ? after + 1 : 1)) {
      if (event.siteId !== siteId) return missing();
      if (last > after) rows.push(event);
      if (rows.length === limit || last <= after) break;
    }
    if (last === 0) return missing();
    const end = rows.at(-1);
    const nextCursor = end && end.version < last ? String(end.version) : null;
    return { ok: true, data: { rows, nextCursor, position: await this.store.head() }, position: 0n };
  }
}
