import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { reject, type Context, type Outcome } from '@app/kernel';
import { CollectionReader } from '../collection-reader';
import { isItemId } from '../item-id.policy';
import { ItemWriter, type Written } from '../item-writer';
import { Referrers } from '../relations/referrers';
import { incoming } from '../relations/references.policy';
import { decideAnnounceDeletion, decideWithdrawDeletion } from './announce-deletion.decide';
import { DeleteItem, type DeletedItem, type DeleteItemBody } from './delete-item.command';
import { decideDeleteItem, type Asked } from './delete-item.decide';

/** Looks again when somebody wrote to the item meanwhile. */
const MAX_LOOKS = 5;

/**
 * An item that relations may lead to is deleted in two steps. The announcement moves it to a new version: whoever was about to refer to it, and so
 * guards the version before, has to look again and withdraws the announcement. Referrers are looked for after that, and the deletion expects the very
 * version of the announcement. So either the reference is seen, or it sees the deletion.
 */
@CommandHandler(DeleteItem)
export class DeleteItemHandler implements ICommandHandler<DeleteItem> {
  constructor(
    private readonly items: ItemWriter,
    private readonly collections: CollectionReader,
    private readonly referrers: Referrers,
  ) {}

  async execute({ body, context }: DeleteItem): Promise<Outcome<DeletedItem>> {
    const { collection, id } = body;
    const written = await this.delete(body, context);
    return written.ok ? { ok: true, data: { id, collection, deleted: true }, position: written.position } : written;
  }

  private async delete(body: DeleteItemBody, context: Context): Promise<Outcome<Written>> {
    // Steps of their own, and no repeat of the command: that is the deletion.
    const step = { ...context, commandId: `${context.commandId}:announced`, repeatable: false };
    let isAnnounced = false;
    const done = await this.lookAndDelete(body, context, async (given) => {
      isAnnounced = true;
      return this.items.write(body, step, ({ item }, version) => decideAnnounceDeletion(item, version, given, context));
    });
    if (!done.ok && isAnnounced) await this.items.write(body, step, ({ item }) => decideWithdrawDeletion(item, context));
    return done;
  }

  private async lookAndDelete(body: DeleteItemBody, context: Context, announce: (given: DeleteItemBody) => Promise<Outcome<Written>>): Promise<Outcome<Written>> {
    const deletion = (asked: Asked, ifMatch: number | undefined, expected?: number) => {
      let moved = false;
      const write = this.items.write(body, context, (states, version) => {
        moved = expected !== undefined && states.item.status === 'live' && version !== expected;
        return moved ? changing() : decideDeleteItem(states, version, { collection: body.collection, ifMatch }, asked, context);
      });
      return write.then((written) => ({ written, moved }));
    };
    for (let look = 0; look < MAX_LOOKS; look++) {
      const found = await this.collections.find(context.siteId, body.collection);
      const relations = found.ok ? incoming(found.state) : [];
      // One that is referred to for certain is not even announced.
      const before = isItemId(body.id) ? await this.referrers.of(context.siteId, body.id, relations) : [];
      const ifMatch = look === 0 ? body.ifMatch : undefined;
      if (relations.length === 0 || before.length > 0) return (await deletion({ relations, referrers: before }, ifMatch)).written;
      const announced = await announce({ ...body, ifMatch });
      // A repeat is answered as the first time, which the log knows.
      if (!announced.ok) return this.items.write(body, context, () => announced);
      const referrers = await this.referrers.of(context.siteId, body.id, relations);
      const { written, moved } = await deletion({ relations, referrers }, undefined, announced.data.version);
      if (written.ok || !moved) return written;
    }
    return changing();
  }
}

const changing = () => reject('conflict', 'CONFLICT', 'Others kept changing this item; load it again and repeat the request.');
