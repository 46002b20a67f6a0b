import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { missing, type Outcome } from '@app/kernel';
import { isItemId } from '../item-id.policy';
import { liveItem } from '../item.policy';
import { item } from '../item.state';
import { GetPins } from './get-pins.query';
import { pinsAnswer, type ItemPins } from './item-pin.view';

@QueryHandler(GetPins)
export class GetPinsHandler implements IQueryHandler<GetPins> {
  constructor(private readonly executor: Executor) {}

  async execute({ target: { collection, id }, context: { siteId } }: GetPins): Promise<Outcome<ItemPins>> {
    if (!isItemId(id)) return missing();
    const { state, version, position } = await this.executor.current(item, id);
    const found = liveItem(state, version, { siteId, collection });
    return found.ok ? { ok: true, data: pinsAnswer(found.item), position } : found;
  }
}
