import { type Outcome } from '@app/kernel';
import { itemView, type ItemView } from './item-list/item.view';
import type { Written } from './item-writer';
import { questionOfNewest } from './explain-edit/edit-question.policy';
import { liveItem, type Meant } from './item.policy';

/** The public view of an item that was written or read; one that is not live any more answers why. */
export const itemAnswer = (id: string, outcome: Outcome<Written>, meant: Meant): Outcome<ItemView> => {
  if (!outcome.ok) return outcome;
  const { item, version } = outcome.data;
  const found = liveItem(item, version, meant);
  if (!found.ok) return found;
  const question = questionOfNewest(found.item, version);
  return { ok: true, data: { ...itemView(id, found.item, version), ...(question && { question }) }, position: outcome.position };
};
