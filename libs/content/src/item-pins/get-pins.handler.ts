import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import type { Outcome } from '@app/kernel';
import { itemNow } from '../item-now';
import { GetPins } from './get-pins.query';
import { pinsAnswer, type ItemPins } from './item-pin.view';

@QueryHandler(GetPins)
export class GetPinsHandler implements IQueryHandler<GetPins> {
  constructor(private readonly executor: Executor) {}

  async execute({ target, context: { siteId } }: GetPins): Promise<Outcome<ItemPins>> {
    const found = await itemNow(this.executor, target, siteId);
    return found.ok ? { ok: true, data: pinsAnswer(found.data.item), position: found.position } : found;
  }
}
