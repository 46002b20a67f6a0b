import { missing, reject, type Rejected } from '@app/kernel';
import type { Collection, DeletedCollection, LiveCollection } from './collection.state';

export const collectionGone = ({ name, deletedAt }: DeletedCollection): Rejected =>
  reject('gone', 'GONE', `The collection ${name} was deleted at ${deletedAt}.`, { deletedAt });

/** The live collection that a request means, or why there is none. Its stream belongs to one site, so no other site's is ever looked at. */
export const liveCollection = (state: Collection, version: number, ifMatch?: number): { readonly ok: true; readonly collection: LiveCollection } | Rejected => {
  if (state.status === 'none') return missing();
  if (state.status === 'deleted') return collectionGone(state);
  if (ifMatch !== undefined && ifMatch !== version) {
    return reject('conflict', 'CONFLICT', `The collection is at version ${version}, not ${ifMatch}; load it again.`, { version });
  }
  return { ok: true, collection: state };
};
