import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Outcome } from '@app/kernel';
import { itemAnswer } from '../item-answer';
import type { ItemView } from '../item-list/item.view';
import { ItemWriter } from '../item-writer';
import { re2Patterns } from '../re2-patterns';
import { RevisionReader } from '../revision-reader';
import { RestoreRevision } from './restore-revision.command';
import { decideRestoreRevision } from './restore-revision.decide';

@CommandHandler(RestoreRevision)
export class RestoreRevisionHandler implements ICommandHandler<RestoreRevision> {
  constructor(
    private readonly items: ItemWriter,
    private readonly revisions: RevisionReader,
  ) {}

  async execute({ body, context }: RestoreRevision): Promise<Outcome<ItemView>> {
    const then = await this.revisions.valuesAt(body.id, body.revision);
    const written = await this.items.change(body, context, (states, version) => decideRestoreRevision(states, version, body, then, context, re2Patterns));
    return itemAnswer(body.id, written, { siteId: context.siteId, collection: body.collection });
  }
}
