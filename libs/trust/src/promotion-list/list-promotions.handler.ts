import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { equalTo, ReadModels } from '@app/projections';
import { ListPromotions } from './list-promotions.query';
import { promotions } from './promotions.projection';

@QueryHandler(ListPromotions)
export class ListPromotionsHandler implements IQueryHandler<ListPromotions> {
  constructor(private readonly reads: ReadModels) {}

  async execute({ siteId, filter: { limit, cursor, minPosition, ...equal } }: ListPromotions) {
    if (minPosition !== undefined) await this.reads.reached(promotions, minPosition);
    const sort = { field: 'proposedAt', direction: 'desc' } as const;
    const page = await this.reads.list(promotions, { siteId, limit, sort, where: equalTo(equal), ...(cursor !== undefined && { cursor }) });
    return { ...page, rows: page.rows.map(({ position: _position, ...row }) => row) };
  }
}
