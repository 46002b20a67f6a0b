import { accept, reject, type Context, type Decision } from '@app/kernel';
import type { CollectionEvent } from '../collection.events';
import { liveCollection } from '../collection.policy';
import type { Collection } from '../collection.state';
import type { DeleteCollectionBody, UpdateCollectionBody } from './change-collection.command';

export const decideUpdateCollection = (
  state: Collection,
  version: number,
  { description, ifMatch }: Omit<UpdateCollectionBody, 'name'>,
  { now }: Pick<Context, 'now'>,
): Decision<readonly CollectionEvent[]> => {
  const found = liveCollection(state, version, ifMatch);
  if (!found.ok) return found;
  const before = found.collection.description;
  return accept(before === description ? [] : [{ type: 'CollectionChanged', data: { before, description, at: now.toISOString() } }]);
};

/** What others count on has to be taken away first: an intent that looks after it, and relations on either side. */
export const decideDeleteCollection = (
  state: Collection,
  version: number,
  { ifMatch }: Omit<DeleteCollectionBody, 'name'>,
  { actor, now }: Pick<Context, 'actor' | 'now'>,
): Decision<readonly CollectionEvent[]> => {
  const found = liveCollection(state, version, ifMatch);
  if (!found.ok) return found;
  const { name, governedBy, relations } = found.collection;
  if (governedBy.length > 0) return reject('conflict', 'CONFLICT', `Intents look after ${name}; delete them first.`, { intents: governedBy });
  if (relations.length > 0) return reject('conflict', 'CONFLICT', `Relations need ${name}; delete them first.`, { relations });
  return accept([{ type: 'CollectionDeleted', data: { by: actor.id, at: now.toISOString() } }]);
};
