import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { equalTo, ReadModels } from '@app/projections';
import { ListIncidents, ListOpenIncidents } from './incident-queries.query';
import { incidents } from './incidents.projection';

const MOST = 200;

@QueryHandler(ListIncidents)
export class ListIncidentsHandler implements IQueryHandler<ListIncidents> {
  constructor(private readonly reads: ReadModels) {}

  async execute({ siteId, filter: { limit, cursor, minPosition, ...equal } }: ListIncidents) {
    if (minPosition !== undefined) await this.reads.reached(incidents, minPosition);
    const page = await this.reads.list(incidents, { siteId, limit, where: equalTo(equal), ...(cursor !== undefined && { cursor }) });
    return { ...page, rows: page.rows.map(({ position: _position, ...row }) => row) };
  }
}

@QueryHandler(ListOpenIncidents)
export class ListOpenIncidentsHandler implements IQueryHandler<ListOpenIncidents> {
  constructor(private readonly reads: ReadModels) {}

  async execute({ siteId, minPosition }: ListOpenIncidents) {
    if (minPosition !== undefined) await this.reads.reached(incidents, minPosition);
    const { rows } = await this.reads.list(incidents, { siteId, limit: MOST, where: equalTo({ status: 'open' }) });
    return rows.map(({ position: _position, ...row }) => row);
  }
}
