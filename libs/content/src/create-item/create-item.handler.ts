import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { idFor } from '@app/event-store';
import type { Outcome } from '@app/kernel';
import { itemAnswer } from '../item-answer';
import type { ItemView } from '../item-list/item.view';
import { ItemWriter } from '../item-writer';
import { re2Patterns } from '../re2-patterns';
import { CreateItem } from './create-item.command';
import { decideCreateItem } from './create-item.decide';

@CommandHandler(CreateItem)
export class CreateItemHandler implements ICommandHandler<CreateItem> {
  constructor(private readonly items: ItemWriter) {}

  async execute({ body, context, id = idFor('item', context) }: CreateItem): Promise<Outcome<ItemView>> {
    const { collection } = body;
    const written = await this.items.write({ collection, id }, context, (states) => decideCreateItem(states, body, context, re2Patterns), body.provenance);
    return itemAnswer(id, written, { siteId: context.siteId, collection });
  }
}
