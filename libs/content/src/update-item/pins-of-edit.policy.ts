import { intentStatus, type Governance } from '@app/governance/contract';
import type { Context } from '@app/kernel';
import type { Collection } from '../collection.state';
import type { ItemEvent } from '../item.events';
import type { Item } from '../item.state';

type States = { readonly item: Item; readonly collection: Collection; readonly governance: Governance };

/**
 * What a person changes by hand in a collection that an active intent looks after stays theirs: the intent's agents would change it again.
 * Without an active intent nothing is pinned. The pins tell of which edit they are, so that its author can be asked later what it meant.
 */
export const pinsOfEdit = ({ item, collection, governance }: States, version: number, edit: readonly ItemEvent[], { actor, now }: Pick<Context, 'actor' | 'now'>): readonly ItemEvent[] => {
  if (item.status !== 'live' || collection.status !== 'live') return [];
  const intents = collection.governedBy.filter((intentId) => intentStatus(governance, intentId) === 'active');
  if (intents.length === 0) return [];
  const revision = version + 1;
  const touched = edit.flatMap((event) => (event.type === 'ItemPatched' || event.type === 'ItemRestored' || event.type === 'VersionPromoted' ? Object.keys(event.data.patch) : []));
  return touched
    .filter((field) => !Object.hasOwn(item.pins, field))
    .map((field) => ({ type: 'FieldPinned', data: { collection: collection.name, field, by: actor.id, at: now.toISOString(), edit: { revision, intents } } }));
};
