import type { CollectionEvent } from './collection.events';
import { collection } from './collection.state';
import type { Field } from './field.schema';
import type { ItemData, ItemEvent } from './item.events';

export const AT = '2030-01-01T10:00:00.000Z';
export const ITEM_ID = 'item_0190f5b2c0de7abc8def0123456789ab';

export const articleFields: readonly Field[] = [
  { name: 'title', type: 'text', required: true, constraints: { maxLength: 20 } },
  { name: 'body', type: 'longtext' },
  { name: 'words', type: 'integer', constraints: { min: 0 } },
  { name: 'status', type: 'enum', required: true, constraints: { options: ['draft', 'published'] } },
  { name: 'meta', type: 'json' },
];

export const articlesCreated = (fields: readonly Field[] = articleFields): CollectionEvent => ({
  type: 'CollectionCreated',
  data: { siteId: 'site_a', name: 'articles', fields: [...fields], at: AT },
});

/** The collection `articles` of site_a with the given fields. */
export const articles = (fields: readonly Field[] = articleFields) => collection.evolve(collection.initial, articlesCreated(fields));

export const noCollection = collection.initial;

export const itemCreated = (data: ItemData = { title: 'Hello', status: 'draft' }): ItemEvent => ({
  type: 'ItemCreated',
  data: { siteId: 'site_a', collection: 'articles', data, at: AT },
});
export const itemPatched = (before: ItemData, patch: ItemData): ItemEvent => ({
  type: 'ItemPatched',
  data: { collection: 'articles', before, patch, at: AT },
});
export const itemDeleted = (before: ItemData = { title: 'Hello', status: 'draft' }): ItemEvent => ({
  type: 'ItemDeleted',
  data: { collection: 'articles', before, at: AT },
});
