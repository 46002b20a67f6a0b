import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import type { Outcome } from '@app/kernel';
import { ReadModels } from '@app/projections';
import { itemView, type ItemProvenance, type ItemView } from '../item-list/item.view';
import { itemNow } from '../item-now';
import { itemRevisions } from '../item-revisions/item-revisions.projection';
import { GetItem } from './get-item.query';

@QueryHandler(GetItem)
export class GetItemHandler implements IQueryHandler<GetItem> {
  constructor(
    private readonly executor: Executor,
    private readonly readModels: ReadModels,
  ) {}

  async execute({ input, context: { siteId } }: GetItem): Promise<Outcome<ItemView>> {
    const found = await itemNow(this.executor, input, siteId);
    if (!found.ok) return found;
    const { data: { item, version }, position } = found;
    const view = itemView(input.id, item, version);
    return { ok: true, data: input.provenance ? { ...view, provenance: await this.provenanceOf(input.id, siteId, position) } : view, position };
  }

  /** Of the newest revision that touched the item; one that waits in a veto window has not. */
  private async provenanceOf(id: string, siteId: string, position: bigint): Promise<ItemProvenance> {
    await this.readModels.reached(itemRevisions, position);
    const where = [{ path: 'itemId', is: 'eq', value: id }, { path: 'staged', is: 'eq', value: false }] as const;
    const { rows } = await this.readModels.list(itemRevisions, { siteId, where, sort: { field: 'revision', direction: 'desc' }, limit: 1 });
    const { revision, authorType, authorId, createdByRunId, model, constitutionHash, sources, confidence, staged, autoCommitAt, at } = rows[0]!;
    return { revision, authorType, authorId, createdByRunId, model, constitutionHash, sources, confidence, staged, autoCommitAt, at };
  }
}
