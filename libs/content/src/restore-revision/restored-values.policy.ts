import type { LiveCollection } from '../collection.state';
import type { ItemData } from '../item.events';
import { sameJson } from '../json-value.policy';

const valueOf = (data: ItemData, field: string) => (Object.hasOwn(data, field) ? data[field]! : null);

/**
 * What has to change for an item to hold the values of a revision again. Fields that are gone are left out; a required field that the revision
 * knew no value for keeps the one it has, because it has come since.
 */
export const restoredValues = ({ fields }: Pick<LiveCollection, 'fields'>, now: ItemData, then: ItemData): ItemData =>
  Object.fromEntries(
    fields
      .filter(({ name, required }) => !sameJson(valueOf(now, name), valueOf(then, name)) && !(required && !Object.hasOwn(then, name)))
      .map(({ name }) => [name, valueOf(then, name)]),
  );
