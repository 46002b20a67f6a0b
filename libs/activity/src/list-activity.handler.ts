import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { equalTo, ReadModels } from '@app/projections';
import { activity } from './activity.projection';
import { ListActivity, type ActivityPage } from './list-activity.query';

@QueryHandler(ListActivity)
export class ListActivityHandler implements IQueryHandler<ListActivity> {
  constructor(private readonly reads: ReadModels) {}

  async execute({ siteId, filter: { limit, cursor, minPosition, ...equal } }: ListActivity): Promise<ActivityPage> {
    if (minPosition !== undefined) await this.reads.reached(activity, minPosition);
    const page = await this.reads.list(activity, { siteId, limit, where: equalTo(equal), ...(cursor !== undefined && { cursor }) });
    return { ...page, rows: page.rows.map(({ position: _position, siteId: _site, ...row }) => row) };
  }
}
