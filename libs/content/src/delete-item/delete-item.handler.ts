import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Outcome } from '@app/kernel';
import { ItemWriter } from '../item-writer';
import { DeleteItem, type DeletedItem } from './delete-item.command';
import { decideDeleteItem } from './delete-item.decide';

@CommandHandler(DeleteItem)
export class DeleteItemHandler implements ICommandHandler<DeleteItem> {
  constructor(private readonly items: ItemWriter) {}

  async execute({ body, context }: DeleteItem): Promise<Outcome<DeletedItem>> {
    const written = await this.items.write(body, context, ({ item }, version) => decideDeleteItem(item, version, body, context));
    return written.ok
      ? { ok: true, data: { id: body.id, collection: body.collection, deleted: true }, position: written.position }
      : written;
  }
}
