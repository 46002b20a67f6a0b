import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Outcome } from '@app/kernel';
import { itemAnswer } from '../item-answer';
import type { ItemView } from '../item-list/item.view';
import { liveItem } from '../item.policy';
import { ItemWriter, type Written } from '../item-writer';
import { re2Patterns } from '../re2-patterns';
import { CreateVersion, DeleteVersion, PromoteVersion, UpdateVersion } from './item-version.command';
import { decideCreateVersion, decideDeleteVersion, decidePromoteVersion, decideUpdateVersion } from './item-version.decide';
import { openVersion } from './item-version.policy';
import { versionView, type GoneVersion, type WrittenVersionView } from './item-version.view';

/** An open version as it was written. */
const versionAnswer = (written: Outcome<Written>, { siteId, collection, name }: { readonly siteId: string; readonly collection: string; readonly name: string }): Outcome<WrittenVersionView> => {
  if (!written.ok) return written;
  const { item, version } = written.data;
  const live = liveItem(item, version, { siteId, collection });
  if (!live.ok) return live;
  const found = openVersion(live.item, name);
  return found.ok ? { ok: true, data: { ...versionView(name, found.version), version }, position: written.position } : found;
};

@CommandHandler(CreateVersion)
export class CreateVersionHandler implements ICommandHandler<CreateVersion> {
  constructor(private readonly items: ItemWriter) {}

  async execute({ body, context }: CreateVersion): Promise<Outcome<WrittenVersionView>> {
    const written = await this.items.write(body, context, (states, version) => decideCreateVersion(states, version, body, context, re2Patterns));
    return versionAnswer(written, { ...body, siteId: context.siteId });
  }
}

@CommandHandler(UpdateVersion)
export class UpdateVersionHandler implements ICommandHandler<UpdateVersion> {
  constructor(private readonly items: ItemWriter) {}

  async execute({ body, context }: UpdateVersion): Promise<Outcome<WrittenVersionView>> {
    const written = await this.items.write(body, context, (states, version) => decideUpdateVersion(states, version, body, context, re2Patterns));
    return versionAnswer(written, { ...body, siteId: context.siteId });
  }
}

@CommandHandler(PromoteVersion)
export class PromoteVersionHandler implements ICommandHandler<PromoteVersion> {
  constructor(private readonly items: ItemWriter) {}

  async execute({ body, context }: PromoteVersion): Promise<Outcome<ItemView>> {
    const written = await this.items.change(body, context, (states, version) => decidePromoteVersion(states, version, body, context, re2Patterns), body.provenance);
    return itemAnswer(body.id, written, { siteId: context.siteId, collection: body.collection });
  }
}

@CommandHandler(DeleteVersion)
export class DeleteVersionHandler implements ICommandHandler<DeleteVersion> {
  constructor(private readonly items: ItemWriter) {}

  async execute({ body, context }: DeleteVersion): Promise<Outcome<GoneVersion>> {
    const written = await this.items.write(body, context, (states, version) => decideDeleteVersion(states, version, body, context));
    return written.ok ? { ok: true, data: { name: body.name, deleted: true }, position: written.position } : written;
  }
}
