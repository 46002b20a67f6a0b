import { accept, missing, reject, type Context, type Decision } from '@app/kernel';
import { sameRelation, type Collection } from '../collection.state';
import type { ItemEvent } from '../item.events';
import { liveItem } from '../item.policy';
import type { Item } from '../item.state';
import { refusedByPins } from '../pin.policy';
import type { Relation } from '../relation.schema';
import { incoming, type Referrer } from '../relations/references.policy';
import type { DeleteItemBody } from './delete-item.command';

type States = { readonly item: Item; readonly collection: Collection };
/** The relations that were looked at for items which refer to this one, and those that do. */
export type Asked = { readonly relations: readonly Relation[]; readonly referrers: readonly Referrer[] };

/** The last values stay in the log, so that the deletion can be read, and one day undone. */
export const decideDeleteItem = (
  { item, collection: schema }: States,
  version: number,
  { collection, ifMatch }: Omit<DeleteItemBody, 'id'>,
  { relations, referrers }: Asked,
  { siteId, now, ...author }: Pick<Context, 'siteId' | 'now' | 'actor' | 'runId'>,
): Decision<readonly ItemEvent[]> => {
  const found = liveItem(item, version, { siteId, collection, ifMatch });
  if (!found.ok) return found;
  const pinned = refusedByPins(found.item.pins, Object.keys(found.item.pins), author);
  if (pinned) return pinned;
  if (schema.status !== 'live') return missing();
  const current = incoming(schema);
  if (current.some((relation) => !relations.some((known) => sameRelation(known, relation)))) {
    return reject('conflict', 'CONFLICT', `A relation to ${collection} was made meanwhile; repeat the request.`);
  }
  const referencedBy = referrers.filter(({ collection: from, field }) => current.some((relation) => relation.from === from && relation.field === field));
  if (referencedBy.length > 0) return reject('conflict', 'CONFLICT', 'Other items refer to this one; change or delete them first.', { referencedBy });
  return accept([{ type: 'ItemDeleted', data: { collection, before: found.item.data, at: now.toISOString() } }]);
};
