import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Outcome } from '@app/kernel';
import { CollectionReader } from '../collection-reader';
import { isItemId } from '../item-id.policy';
import { ItemWriter } from '../item-writer';
import { Referrers } from '../relations/referrers';
import { incoming } from '../relations/references.policy';
import { DeleteItem, type DeletedItem } from './delete-item.command';
import { decideDeleteItem } from './delete-item.decide';

@CommandHandler(DeleteItem)
export class DeleteItemHandler implements ICommandHandler<DeleteItem> {
  constructor(
    private readonly items: ItemWriter,
    private readonly collections: CollectionReader,
    private readonly referrers: Referrers,
  ) {}

  async execute({ body, context }: DeleteItem): Promise<Outcome<DeletedItem>> {
    const { collection, id } = body;
    const found = await this.collections.find(context.siteId, collection);
    const relations = found.ok ? incoming(found.state) : [];
    const referrers = isItemId(id) ? await this.referrers.of(context.siteId, id, relations) : [];
    const written = await this.items.write(body, context, (states, version) => decideDeleteItem(states, version, body, { relations, referrers }, context));
    return written.ok ? { ok: true, data: { id, collection, deleted: true }, position: written.position } : written;
  }
}
