import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { missing, type Outcome } from '@app/kernel';
import { itemAnswer } from '../item-answer';
import { isItemId } from '../item-id.policy';
import type { ItemView } from '../item-list/item.view';
import { item } from '../item.state';
import { GetItem } from './get-item.query';

@QueryHandler(GetItem)
export class GetItemHandler implements IQueryHandler<GetItem> {
  constructor(private readonly executor: Executor) {}

  async execute({ input: { collection, id }, context: { siteId } }: GetItem): Promise<Outcome<ItemView>> {
    if (!isItemId(id)) return missing();
    const { state, version, position } = await this.executor.current(item, id);
    return itemAnswer(id, { ok: true, data: { item: state, version }, position }, { siteId, collection });
  }
}
