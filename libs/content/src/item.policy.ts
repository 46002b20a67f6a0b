import { missing, reject, type Rejected } from '@app/kernel';
import type { Collection } from './collection.state';
import type { ItemData } from './item.events';
import type { Item, LiveItem } from './item.state';

/** What a request says about the item it means. */
export type Meant = { readonly siteId: string; readonly collection: string; readonly ifMatch?: number | undefined };

/**
 * The live item that a request means, or why there is none. An item of another site or collection answers like one that never was; a deleted
 * one of this site says so. A version that has moved on is a conflict, whatever else is wrong with the request.
 */
export const liveItem = (
  item: Item,
  version: number,
  { siteId, collection, ifMatch }: Meant,
): { readonly ok: true; readonly item: LiveItem } | Rejected => {
  if (item.status === 'none' || item.siteId !== siteId || item.collection !== collection) return missing();
  if (item.status === 'deleted')
    return reject('gone', 'GONE', `This item was deleted at ${item.updatedAt}.`, { deletedAt: item.updatedAt });
  if (ifMatch !== undefined && ifMatch !== version) {
    return reject('conflict', 'CONFLICT', `The item is at version ${version}, not ${ifMatch}; load it again.`, { version });
  }
  return { ok: true, item };
};

/** Values that items still hold of fields which are gone are shown to nobody. */
export const knownData = (data: ItemData, collection: Collection): ItemData =>
  collection.status === 'live' && collection.removedFields.some((name) => Object.hasOwn(data, name))
    ? Object.fromEntries(Object.entries(data).filter(([name]) => !collection.removedFields.includes(name)))
    : data;
export const withKnownFields = (item: Item, collection: Collection): Item => (item.status === 'live' ? { ...item, data: knownData(item.data, collection) } : item);
