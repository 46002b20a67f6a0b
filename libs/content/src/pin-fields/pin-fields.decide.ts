import { accept, missing, reject, type Context, type Decision } from '@app/kernel';
import type { Collection } from '../collection.state';
import type { ItemEvent } from '../item.events';
import { liveItem } from '../item.policy';
import type { Item } from '../item.state';
import type { PinFieldsBody } from './pin-fields.command';

type States = { readonly item: Item; readonly collection: Collection };

/** A field that is pinned already keeps its first pin. */
export const decidePinFields = (
  { item, collection }: States,
  version: number,
  { collection: name, fields }: PinFieldsBody & { readonly collection: string },
  { siteId, actor, now }: Pick<Context, 'siteId' | 'actor' | 'now'>,
): Decision<readonly ItemEvent[]> => {
  const found = liveItem(item, version, { siteId, collection: name });
  if (!found.ok) return found;
  if (collection.status !== 'live') return missing();
  const known = new Set(collection.fields.map((field) => field.name));
  const errors = fields.flatMap((field, index) => (known.has(field) ? [] : [{ pointer: `/fields/${index}`, detail: 'The collection has no such field' }]));
  if (errors.length > 0) return reject('invalid', 'VALIDATION_FAILED', `Not all of these are fields of ${name}.`, { errors });
  const due = [...new Set(fields)].filter((field) => !Object.hasOwn(found.item.pins, field));
  return accept(due.map((field) => ({ type: 'FieldPinned', data: { collection: name, field, by: actor.id, at: now.toISOString() } })));
};
