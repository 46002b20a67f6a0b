import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { equalTo, ReadModels } from '@app/projections';
import { ListStaged, type StagedPage } from './list-staged.query';
import { remainingMs } from './staged.view';
import { stagings } from './stagings.projection';

@QueryHandler(ListStaged)
export class ListStagedHandler implements IQueryHandler<ListStaged> {
  constructor(private readonly reads: ReadModels) {}

  async execute({ siteId, filter: { limit, cursor, minPosition, now, ...equal } }: ListStaged): Promise<StagedPage> {
    if (minPosition !== undefined) await this.reads.reached(stagings, minPosition);
    const page = await this.reads.list(stagings, { siteId, limit, where: equalTo(equal), ...(cursor !== undefined && { cursor }) });
    return {
      ...page,
      rows: page.rows.map(({ position: _position, dueAt: _due, siteId: _site, ...row }) => ({ ...row, stagingId: row.id, remainingMs: remainingMs(row.autoCommitAt, now) })),
    };
  }
}
