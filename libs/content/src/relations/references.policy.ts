import type { Collection } from '../collection.state';
import { isItemId } from '../item-id.policy';
import type { ItemData, ItemEvent } from '../item.events';
import type { Item } from '../item.state';
import { token, type Problem } from '../problem.policy';
import type { Relation } from '../relation.schema';

/** An item that holds the id of another in a field of a relation. */
export type Referrer = { readonly collection: string; readonly field: string; readonly id: string };

/** Relations whose field is one of this collection's own. */
export const outgoing = (collection: Collection): readonly Relation[] =>
  collection.status === 'live' ? collection.relations.filter(({ from }) => from === collection.name) : [];
/** Relations that lead to items of this collection. */
export const incoming = (collection: Collection): readonly Relation[] =>
  collection.status === 'live' ? collection.relations.filter(({ to }) => to === collection.name) : [];

const writtenBy = (event: ItemEvent): ItemData => {
  switch (event.type) {
    case 'ItemCreated':
      return event.data.data;
    case 'ItemPatched':
    case 'ItemRestored':
    case 'VersionPromoted':
      return event.data.patch;
    default:
      return {};
  }
};
type Reference = { readonly relation: Relation; readonly value: unknown };
const referencesOf = (collection: Collection, events: readonly ItemEvent[]): readonly Reference[] =>
  events.flatMap((event) => {
    const written = writtenBy(event);
    return outgoing(collection).flatMap((relation) => (Object.hasOwn(written, relation.field) && written[relation.field] !== null ? [{ relation, value: written[relation.field] }] : []));
  });

/** Ids of the items that a change refers to; what is no id at all is left to `referenceProblems`. */
export const referencedBy = (collection: Collection, events: readonly ItemEvent[]): readonly string[] => [
  ...new Set(referencesOf(collection, events).flatMap(({ value }) => (typeof value === 'string' && isItemId(value) ? [value] : []))),
];

/** Every reference of a change that leads to no live item of the collection it should. Items of other sites answer like none. */
export const referenceProblems = (collection: Collection, events: readonly ItemEvent[], itemOf: (id: string) => Item | undefined): readonly Problem[] =>
  referencesOf(collection, events).flatMap(({ relation: { field, to }, value }) => {
    const found = typeof value === 'string' && isItemId(value) ? itemOf(value) : undefined;
    const fits = found?.status === 'live' && collection.status === 'live' && found.siteId === collection.siteId && found.collection === to;
    return fits ? [] : [{ pointer: `/data/${token(field)}`, detail: `Must be the id of a live item of ${to}` }];
  });
