import { accept, missing, reject, type Context, type Decision, type Rejected } from '@app/kernel';
import type { Collection, LiveCollection } from '../collection.state';
import type { Patterns } from '../field.policy';
import { patchProblems } from '../item-data.policy';
import type { ItemData, ItemEvent } from '../item.events';
import { liveItem } from '../item.policy';
import type { Item, LiveItem } from '../item.state';
import { sameJson } from '../json-value.policy';
import { refusedReserved } from '../reserved-name.policy';
import { decideUpdateItem } from '../update-item/update-item.decide';
import type { CreateVersionBody, DeleteVersionBody, PromoteVersionBody, UpdateVersionBody } from './item-version.command';
import { dueChanges, openVersion } from './item-version.policy';

type States = { readonly item: Item; readonly collection: Collection };
type Without<Body> = Omit<Body, 'id'>;
type Author = Pick<Context, 'siteId' | 'now' | 'actor' | 'runId'>;

/** An item is one state in memory, and each version may be as large as the item. */
const MAX_OPEN = 20;

const both = (
  { item, collection }: States,
  version: number,
  { collection: name, ifMatch }: { readonly collection: string; readonly ifMatch?: number | undefined },
  siteId: string,
): { readonly ok: true; readonly item: LiveItem; readonly collection: LiveCollection } | Rejected => {
  const found = liveItem(item, version, { siteId, collection: name, ifMatch });
  if (!found.ok) return found;
  return collection.status === 'live' ? { ok: true, item: found.item, collection } : missing();
};

const refusedChanges = ({ item, collection }: { readonly item: LiveItem; readonly collection: LiveCollection }, data: Readonly<Record<string, unknown>>, patterns: Patterns): Rejected | undefined => {
  const errors = patchProblems(collection.fields, item.data, data, patterns);
  return errors.length > 0 ? reject('invalid', 'VALIDATION_FAILED', `The version does not fit the collection ${collection.name}.`, { errors }) : undefined;
};

/** Nothing of a version is live, so it may change what a person has pinned; promoting it then is no agent's to do. */
export const decideCreateVersion = (states: States, version: number, body: Without<CreateVersionBody>, { siteId, now }: Pick<Author, 'siteId' | 'now'>, patterns: Patterns): Decision<readonly ItemEvent[]> => {
  const found = both(states, version, body, siteId);
  if (!found.ok) return found;
  const { collection, name, data = {} } = body;
  const refused = refusedReserved(name) ?? refusedChanges(found, data, patterns);
  if (refused) return refused;
  const open = Object.entries(found.item.versions).filter(([, known]) => known.status === 'open');
  if (open.some(([known]) => known === name)) return reject('conflict', 'CONFLICT', `There is already a version ${name} of this item.`, { name });
  if (open.length >= MAX_OPEN) return reject('conflict', 'CONFLICT', `An item has at most ${MAX_OPEN} open versions.`);
  // Checked above: every value is null or JSON of its field's type.
  return accept([{ type: 'VersionCreated', data: { collection, name, baseVersion: version, changes: data as ItemData, at: now.toISOString() } }]);
};

export const decideUpdateVersion = (states: States, version: number, body: Without<UpdateVersionBody>, { siteId, now }: Pick<Author, 'siteId' | 'now'>, patterns: Patterns): Decision<readonly ItemEvent[]> => {
  const found = both(states, version, body, siteId);
  if (!found.ok) return found;
  const { collection, name, data } = body;
  const known = openVersion(found.item, name);
  if (!known.ok) return known;
  const before = known.version.changes;
  const refused = refusedChanges({ ...found, item: { ...found.item, data: { ...found.item.data, ...before } } }, data, patterns);
  if (refused) return refused;
  const changes = { ...before, ...(data as ItemData) };
  return accept(sameJson(before, changes) ? [] : [{ type: 'VersionUpdated', data: { collection, name, changes, at: now.toISOString() } }]);
};

/** An edit like any other: its values must fit the collection as it is now, and an agent promotes nothing that a person has pinned. */
export const decidePromoteVersion = (states: States, version: number, body: Without<PromoteVersionBody>, author: Author, patterns: Patterns): Decision<readonly ItemEvent[]> => {
  const found = both(states, version, body, author.siteId);
  if (!found.ok) return found;
  const { collection, name } = body;
  const known = openVersion(found.item, name);
  if (!known.ok) return known;
  const edit = decideUpdateItem(states, version, { collection, data: dueChanges(found.collection, found.item.data, known.version) }, author, patterns);
  if (!edit.ok) return edit;
  const [change] = edit.events.flatMap((event) => (event.type === 'ItemPatched' ? [event.data] : []));
  const { before = {}, patch = {} } = change ?? {};
  return accept([{ type: 'VersionPromoted', data: { collection, name, before, patch, at: author.now.toISOString() } }]);
};

export const decideDeleteVersion = (states: States, version: number, body: Without<DeleteVersionBody>, { siteId, now }: Pick<Author, 'siteId' | 'now'>): Decision<readonly ItemEvent[]> => {
  const found = both(states, version, body, siteId);
  if (!found.ok) return found;
  const known = openVersion(found.item, body.name);
  return known.ok ? accept([{ type: 'VersionDeleted', data: { collection: body.collection, name: body.name, at: now.toISOString() } }]) : known;
};
