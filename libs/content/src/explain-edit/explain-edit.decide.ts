import { accept, reject, type Context, type Decision } from '@app/kernel';
import type { ItemEvent } from '../item.events';
import { liveItem } from '../item.policy';
import type { Item } from '../item.state';
import { pinnedByEdit, valuesOf } from './edit-question.policy';
import type { ExplainEditBody } from './explain-edit.command';

/** The pins stay either way: what differs is whether the rule is wrong. Saying the same again changes nothing; another answer is recorded as well. */
export const decideExplainEdit = (
  item: Item,
  version: number,
  { collection, revision, answer: meaning, note }: ExplainEditBody & { readonly collection: string },
  { siteId, actor, now }: Pick<Context, 'siteId' | 'actor' | 'now'>,
): Decision<readonly ItemEvent[]> => {
  const found = liveItem(item, version, { siteId, collection });
  if (!found.ok) return found;
  const edit = pinnedByEdit(found.item, revision);
  if (!edit) return reject('conflict', 'CONFLICT', `Nothing is pinned that the edit of revision ${revision} pinned, so there is nothing to say about it.`, { revision });
  if (edit.meaning === meaning) return accept([]);
  const values = valuesOf(found.item.data, edit.fields);
  return accept([{ type: 'EditExplained', data: { collection, revision, meaning, intents: [...edit.intents], values, ...(note !== undefined && { note }), by: actor.id, at: now.toISOString() } }]);
};
