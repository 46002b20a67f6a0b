import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Outcome } from '@app/kernel';
import { itemAnswer } from '../item-answer';
import type { ItemView } from '../item-list/item.view';
import { ItemWriter } from '../item-writer';
import { re2Patterns } from '../re2-patterns';
import { UpdateItem } from './update-item.command';
import { decideUpdateItem } from './update-item.decide';

@CommandHandler(UpdateItem)
export class UpdateItemHandler implements ICommandHandler<UpdateItem> {
  constructor(private readonly items: ItemWriter) {}

  async execute({ body, context }: UpdateItem): Promise<Outcome<ItemView>> {
    const written = await this.items.change(body, context, (states, version) => decideUpdateItem(states, version, body, context, re2Patterns), body.provenance);
    return itemAnswer(body.id, written, { siteId: context.siteId, collection: body.collection });
  }
}
