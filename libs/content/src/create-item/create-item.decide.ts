import { accept, missing, reject, type Context, type Decision } from '@app/kernel';
import type { Collection } from '../collection.state';
import type { Patterns } from '../field.policy';
import { newItemProblems } from '../item-data.policy';
import type { ItemData, ItemEvent } from '../item.events';
import type { Item } from '../item.state';
import type { CreateItemBody } from './create-item.command';

type States = { readonly item: Item; readonly collection: Collection };

/** A repeat meets the item it made and changes nothing. */
export const decideCreateItem = (
  { item, collection }: States,
  { data }: Pick<CreateItemBody, 'data'>,
  { siteId, now }: Pick<Context, 'siteId' | 'now'>,
  patterns: Patterns,
): Decision<readonly ItemEvent[]> => {
  if (collection.status !== 'live') return missing();
  if (item.status !== 'none') return item.siteId === siteId && item.collection === collection.name ? accept([]) : missing();
  const problems = newItemProblems(collection.fields, data, patterns);
  if (problems.length > 0)
    return reject('invalid', 'VALIDATION_FAILED', `The item does not fit the collection ${collection.name}.`, { errors: problems });
  // Checked above: every value is JSON of its field's type.
  const values = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null)) as ItemData;
  return accept([{ type: 'ItemCreated', data: { siteId, collection: collection.name, data: values, at: now.toISOString() } }]);
};
