import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ReadModels } from '@app/projections';
import { apiKeys } from './api-keys.projection';
import { KeyUsage } from './key-usage';
import { ListApiKeys } from './list-api-keys.query';

@QueryHandler(ListApiKeys)
export class ListApiKeysHandler implements IQueryHandler<ListApiKeys> {
  constructor(
    private readonly reads: ReadModels,
    private readonly usage: KeyUsage,
  ) {}

  async execute({ siteId, page: { limit, cursor, minPosition } }: ListApiKeys) {
    if (minPosition !== undefined) await this.reads.reached(apiKeys, minPosition);
    const page = await this.reads.list(apiKeys, { siteId, limit, ...(cursor !== undefined && { cursor }) });
    const used = await this.usage.of(page.rows.map(({ id }) => id));
    return { ...page, rows: page.rows.map(({ position: _position, ...row }) => ({ ...row, lastUsedAt: used.get(row.id) ?? null })) };
  }
}
