import { accept, missing, reject, type Context, type Decision } from '@app/kernel';
import type { Collection } from '../collection.state';
import type { Patterns } from '../field.policy';
import { patchProblems } from '../item-data.policy';
import type { ItemData, ItemEvent } from '../item.events';
import { liveItem } from '../item.policy';
import type { Item } from '../item.state';
import { sameJson } from '../json-value.policy';
import { refusedByPins } from '../pin.policy';
import type { UpdateItemBody } from './update-item.command';

type States = { readonly item: Item; readonly collection: Collection };

/**
 * Only what really changes is recorded; a patch that changes nothing is no revision. The pins are those of the very version that the append
 * expects, so a pin made a moment before the write wins.
 */
export const decideUpdateItem = (
  { item, collection }: States,
  version: number,
  { collection: name, data, ifMatch }: Omit<UpdateItemBody, 'id'>,
  { siteId, now, ...author }: Pick<Context, 'siteId' | 'now' | 'actor' | 'runId'>,
  patterns: Patterns,
): Decision<readonly ItemEvent[]> => {
  const found = liveItem(item, version, { siteId, collection: name, ifMatch });
  if (!found.ok) return found;
  if (collection.status !== 'live') return missing();
  const pinned = refusedByPins(found.item.pins, Object.keys(data), author);
  if (pinned) return pinned;
  const current = found.item.data;
  const problems = patchProblems(collection.fields, current, data, patterns);
  if (problems.length > 0)
    return reject('invalid', 'VALIDATION_FAILED', `The change does not fit the collection ${name}.`, { errors: problems });
  const valueNow = (field: string) => (Object.hasOwn(current, field) ? current[field]! : null);
  const changed = Object.entries(data).filter(([field, value]) => !sameJson(valueNow(field), value));
  if (changed.length === 0) return accept([]);
  const before = Object.fromEntries(changed.map(([field]) => [field, valueNow(field)]));
  // Checked above: every value is null or JSON of its field's type.
  const patch = Object.fromEntries(changed) as ItemData;
  return accept([{ type: 'ItemPatched', data: { collection: name, before, patch, at: now.toISOString() } }]);
};
