import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { accept, type Outcome } from '@app/kernel';
import { itemAnswer } from '../item-answer';
import type { ItemView } from '../item-list/item.view';
import { ItemWriter } from '../item-writer';
import { isPersonsOwn } from '../pin.policy';
import { re2Patterns } from '../re2-patterns';
import { UpdateItem } from './update-item.command';
import { pinsOfEdit } from './pins-of-edit.policy';
import { decideUpdateItem } from './update-item.decide';

@CommandHandler(UpdateItem)
export class UpdateItemHandler implements ICommandHandler<UpdateItem> {
  constructor(private readonly items: ItemWriter) {}

  async execute({ body, context }: UpdateItem): Promise<Outcome<ItemView>> {
    const written = isPersonsOwn(context) ? await this.edit(body, context) : await this.items.write(body, context, (states, version) => decideUpdateItem(states, version, body, context, re2Patterns));
    return itemAnswer(body.id, written, { siteId: context.siteId, collection: body.collection });
  }

  /** A person's edit and the pins that come with it are one append: no agent can write in between. */
  private edit(body: UpdateItem['body'], context: UpdateItem['context']) {
    return this.items.writeGoverned(body, context, (states, version) => {
      const decision = decideUpdateItem(states, version, body, context, re2Patterns);
      return decision.ok ? accept([...decision.events, ...pinsOfEdit(states, decision.events, context)]) : decision;
    });
  }
}
