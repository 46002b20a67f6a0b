import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import type { Outcome } from '@app/kernel';
import { equalTo, ReadModels } from '@app/projections';
import { liveIntent } from '../checked-definition.policy';
import { intent } from '../intent.state';
import { drifts } from './drifts.projection';
import { ListDrifts, type DriftPage } from './list-drifts.query';

@QueryHandler(ListDrifts)
export class ListDriftsHandler implements IQueryHandler<ListDrifts> {
  constructor(
    private readonly reads: ReadModels,
    private readonly executor: Executor,
  ) {}

  async execute({ intentId, siteId, filter: { limit, cursor, minPosition, status } }: ListDrifts): Promise<Outcome<DriftPage>> {
    const found = liveIntent((await this.executor.current(intent, intentId)).state, siteId);
    if (!found.ok) return found;
    if (minPosition !== undefined) await this.reads.reached(drifts, minPosition);
    const page = await this.reads.list(drifts, { siteId, limit, where: equalTo({ intentId, status }), ...(cursor !== undefined && { cursor }) });
    const rows = page.rows.map(({ position: _position, siteId: _site, ...row }) => row);
    return { ok: true, data: { ...page, rows }, position: page.position };
  }
}
