import { intentStatus, type Governance } from '@app/governance/contract';
import type { Context } from '@app/kernel';
import type { Collection } from '../collection.state';
import type { ItemEvent } from '../item.events';
import type { Item } from '../item.state';

type States = { readonly item: Item; readonly collection: Collection; readonly governance: Governance };

/**
 * What a person changes by hand in a collection that an active intent looks after stays theirs: the intent's agents would change it again.
 * Without an active intent nothing is pinned.
 */
export const pinsOfEdit = ({ item, collection, governance }: States, edit: readonly ItemEvent[], { actor, now }: Pick<Context, 'actor' | 'now'>): readonly ItemEvent[] => {
  if (item.status !== 'live' || collection.status !== 'live') return [];
  if (!collection.governedBy.some((intentId) => intentStatus(governance, intentId) === 'active')) return [];
  const touched = edit.flatMap((event) => (event.type === 'ItemPatched' || event.type === 'ItemRestored' || event.type === 'VersionPromoted' ? Object.keys(event.data.patch) : []));
  return touched
    .filter((field) => !Object.hasOwn(item.pins, field))
    .map((field) => ({ type: 'FieldPinned', data: { collection: collection.name, field, by: actor.id, at: now.toISOString() } }));
};
