import { missing, reject, type Rejected } from '@app/kernel';
import type { LiveCollection } from '../collection.state';
import type { ItemData } from '../item.events';
import type { LiveItem, OpenVersion } from '../item.state';
import { sameJson } from '../json-value.policy';

/** The open version that a request means, or why there is none. */
export const openVersion = ({ versions }: LiveItem, name: string): { readonly ok: true; readonly version: OpenVersion } | Rejected => {
  const found = Object.hasOwn(versions, name) ? versions[name] : undefined;
  if (!found) return missing();
  return found.status === 'open' ? { ok: true, version: found } : reject('gone', 'GONE', `The version ${name} was ${found.status} at ${found.at}.`, { at: found.at, status: found.status });
};

/** What a version would change now: fields that are gone, and values the item has come to hold, are left out. */
export const dueChanges = ({ fields }: Pick<LiveCollection, 'fields'>, live: ItemData, { changes }: OpenVersion): ItemData =>
  Object.fromEntries(Object.entries(changes).filter(([field, value]) => fields.some(({ name }) => name === field) && !sameJson(Object.hasOwn(live, field) ? live[field] : null, value)));
