import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { missing, type Outcome } from '@app/kernel';
import { isItemId } from '../item-id.policy';
import { liveItem } from '../item.policy';
import { item } from '../item.state';
import { InspectItem, type InspectedItem } from './inspect-item.query';

@QueryHandler(InspectItem)
export class InspectItemHandler implements IQueryHandler<InspectItem> {
  constructor(private readonly executor: Executor) {}

  async execute({ input: { collection, id }, context: { siteId } }: InspectItem): Promise<Outcome<InspectedItem>> {
    if (!isItemId(id)) return missing();
    const { state, version, position } = await this.executor.current(item, id);
    const found = liveItem(state, version, { siteId, collection });
    return found.ok ? { ok: true, data: { version, data: found.item.data, pinned: Object.keys(found.item.pins) }, position } : found;
  }
}
