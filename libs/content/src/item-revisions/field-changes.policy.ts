import type { ItemData } from '../item.events';
import type { FieldChange } from './item-revision.view';

/** Field by field, in the order of their names. */
export const changesOf = (before: ItemData, after: ItemData): readonly FieldChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .toSorted()
    .map((field) => ({ field, before: valueOf(before, field), after: valueOf(after, field) }));

const valueOf = (data: ItemData, field: string) => (Object.hasOwn(data, field) ? data[field]! : null);
