import { accept, type Context, type Decision } from '@app/kernel';
import type { ItemEvent } from '../item.events';
import { liveItem } from '../item.policy';
import type { Item } from '../item.state';
import { refusedByPins } from '../pin.policy';
import type { DeleteItemBody } from './delete-item.command';

/** An announcement that somebody left behind serves as well: what counts is the version that the item has from then on. */
export const decideAnnounceDeletion = (
  item: Item,
  version: number,
  { collection, ifMatch }: Omit<DeleteItemBody, 'id'>,
  { siteId, now, ...author }: Pick<Context, 'siteId' | 'now' | 'actor' | 'runId'>,
): Decision<readonly ItemEvent[]> => {
  const found = liveItem(item, version, { siteId, collection, ifMatch });
  if (!found.ok) return found;
  const pinned = refusedByPins(found.item.pins, Object.keys(found.item.pins), author);
  if (pinned) return pinned;
  return accept(found.item.deleting ? [] : [{ type: 'DeletionAnnounced', data: { at: now.toISOString() } }]);
};

/** Takes an announcement back that came to nothing. Somebody else who has announced the same looks again. */
export const decideWithdrawDeletion = (item: Item, { now }: Pick<Context, 'now'>): Decision<readonly ItemEvent[]> =>
  accept(item.status === 'live' && item.deleting ? [{ type: 'DeletionWithdrawn', data: { at: now.toISOString() } }] : []);
