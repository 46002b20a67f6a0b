import { accept, type Context, type Decision } from '@app/kernel';
import type { ItemEvent } from '../item.events';
import { liveItem } from '../item.policy';
import type { Item } from '../item.state';
import { refusedByPins } from '../pin.policy';
import type { DeleteItemBody } from './delete-item.command';

/** The last values stay in the log, so that the deletion can be read, and one day undone. */
export const decideDeleteItem = (
  item: Item,
  version: number,
  { collection, ifMatch }: Omit<DeleteItemBody, 'id'>,
  { siteId, now, ...author }: Pick<Context, 'siteId' | 'now' | 'actor' | 'runId'>,
): Decision<readonly ItemEvent[]> => {
  const found = liveItem(item, version, { siteId, collection, ifMatch });
  if (!found.ok) return found;
  const pinned = refusedByPins(found.item.pins, Object.keys(found.item.pins), author);
  if (pinned) return pinned;
  return accept([{ type: 'ItemDeleted', data: { collection, before: found.item.data, at: now.toISOString() } }]);
};
