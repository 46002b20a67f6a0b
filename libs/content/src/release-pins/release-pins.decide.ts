import { accept, type Context, type Decision } from '@app/kernel';
import type { ItemEvent } from '../item.events';
import { liveItem } from '../item.policy';
import type { Item } from '../item.state';

/** Releasing what is not pinned changes nothing. */
export const decideReleasePins = (
  item: Item,
  version: number,
  { collection, field }: { readonly collection: string; readonly field?: string },
  { siteId, actor, now }: Pick<Context, 'siteId' | 'actor' | 'now'>,
): Decision<readonly ItemEvent[]> => {
  const found = liveItem(item, version, { siteId, collection });
  if (!found.ok) return found;
  const due = Object.keys(found.item.pins).filter((pinned) => field === undefined || pinned === field);
  return accept(due.map((released) => ({ type: 'FieldUnpinned', data: { collection, field: released, by: actor.id, at: now.toISOString() } })));
};
