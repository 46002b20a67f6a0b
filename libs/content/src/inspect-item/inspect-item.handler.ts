import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import type { Outcome } from '@app/kernel';
import { itemNow } from '../item-now';
import { InspectItem, type InspectedItem } from './inspect-item.query';

@QueryHandler(InspectItem)
export class InspectItemHandler implements IQueryHandler<InspectItem> {
  constructor(private readonly executor: Executor) {}

  async execute({ input, context: { siteId } }: InspectItem): Promise<Outcome<InspectedItem>> {
    const found = await itemNow(this.executor, input, siteId);
    if (!found.ok) return found;
    const { item, version } = found.data;
    return { ok: true, data: { version, data: item.data, pinned: Object.keys(item.pins) }, position: found.position };
  }
}
