import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import type { Outcome } from '@app/kernel';
import { CollectionReader } from '../collection-reader';
import { itemNow } from '../item-now';
import { changesOf } from '../item-revisions/field-changes.policy';
import { pinnedAmong } from '../pin.policy';
import { CompareVersion, ListVersions } from './item-version.command';
import { dueChanges, openVersion } from './item-version.policy';
import { versionView, type ItemVersionViews, type VersionComparison } from './item-version.view';

@QueryHandler(ListVersions)
export class ListVersionsHandler implements IQueryHandler<ListVersions> {
  constructor(private readonly executor: Executor) {}

  async execute({ input, context: { siteId } }: ListVersions): Promise<Outcome<ItemVersionViews>> {
    const found = await itemNow(this.executor, input, siteId);
    if (!found.ok) return found;
    const open = Object.entries(found.data.item.versions).flatMap(([name, version]) => (version.status === 'open' ? [versionView(name, version)] : []));
    return { ok: true, data: open.toSorted((a, b) => (a.name < b.name ? -1 : 1)), position: found.position };
  }
}

@QueryHandler(CompareVersion)
export class CompareVersionHandler implements IQueryHandler<CompareVersion> {
  constructor(
    private readonly executor: Executor,
    private readonly collections: CollectionReader,
  ) {}

  async execute({ input, context: { siteId } }: CompareVersion): Promise<Outcome<VersionComparison>> {
    const found = await itemNow(this.executor, input, siteId);
    if (!found.ok) return found;
    const schema = await this.collections.find(siteId, input.collection);
    if (!schema.ok) return schema;
    const { item, version: liveVersion } = found.data;
    const known = openVersion(item, input.name);
    if (!known.ok) return known;
    const after = dueChanges(schema.state, item.data, known.version);
    const before = Object.fromEntries(Object.entries(item.data).filter(([field]) => Object.hasOwn(after, field)));
    const { name } = input;
    const data = { name, baseVersion: known.version.baseVersion, liveVersion, changes: changesOf(before, after), pinned: pinnedAmong(item.pins, Object.keys(after)) };
    return { ok: true, data, position: found.position };
  }
}
