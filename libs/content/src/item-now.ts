import type { Executor } from '@app/event-store';
import { missing, type Outcome } from '@app/kernel';
import { collectionGone } from './collection.policy';
import { collection, collectionId } from './collection.state';
import { Name } from './field.schema';
import { isItemId } from './item-id.policy';
import { liveItem, withKnownFields } from './item.policy';
import { item, type LiveItem } from './item.state';

export type ItemNow = { readonly item: LiveItem; readonly version: number };

/** A live item as the log has it now, with the fields that its collection still has; or why there is none. */
export const itemNow = async (executor: Executor, { collection: name, id }: { readonly collection: string; readonly id: string }, siteId: string): Promise<Outcome<ItemNow>> => {
  if (!isItemId(id) || !Name.safeParse(name).success) return missing();
  const [{ state, version, position }, { state: schema }] = await Promise.all([executor.current(item, id), executor.current(collection, collectionId(siteId, name))]);
  const found = liveItem(withKnownFields(state, schema), version, { siteId, collection: name });
  if (!found.ok) return found;
  return schema.status === 'deleted' ? collectionGone(schema) : { ok: true, data: { item: found.item, version }, position };
};
