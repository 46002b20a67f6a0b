import { accept, missing, type Context, type Decision } from '@app/kernel';
import type { Collection } from '../collection.state';
import type { Patterns } from '../field.policy';
import type { ItemData, ItemEvent } from '../item.events';
import { liveItem } from '../item.policy';
import type { Item } from '../item.state';
import { decideUpdateItem } from '../update-item/update-item.decide';
import type { RestoreRevisionBody } from './restore-revision.command';
import { restoredValues } from './restored-values.policy';

type States = { readonly item: Item; readonly collection: Collection };

/**
 * An edit like any other, with the values of back then: they must fit the collection as it is now, and what a person has pinned is not written by
 * an agent. `then` is null when the item has no such revision.
 */
export const decideRestoreRevision = (
  { item, collection }: States,
  version: number,
  { collection: name, revision, ifMatch }: Omit<RestoreRevisionBody, 'id'>,
  then: ItemData | null,
  context: Pick<Context, 'siteId' | 'now' | 'actor' | 'runId'>,
  patterns: Patterns,
): Decision<readonly ItemEvent[]> => {
  const found = liveItem(item, version, { siteId: context.siteId, collection: name, ifMatch });
  if (!found.ok) return found;
  if (collection.status !== 'live' || then === null) return missing();
  const data = restoredValues(collection, found.item.data, then);
  const decision = decideUpdateItem({ item, collection }, version, { collection: name, data }, context, patterns);
  if (!decision.ok) return decision;
  return accept(
    decision.events.map((event): ItemEvent => {
      if (event.type !== 'ItemPatched') return event;
      const { before, patch, at } = event.data;
      return { type: 'ItemRestored', data: { collection: name, revision, before, patch, at } };
    }),
  );
};
