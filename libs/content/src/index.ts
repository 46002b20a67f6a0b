import { collectionEvents } from './collection.events';
import { collections } from './collection-list/collections.projection';
import { itemRevisions } from './item-revisions/item-revisions.projection';
import { items } from './item-list/items.projection';
import { itemEvents } from './item.events';

export { ContentModule } from './content.module';
export { CollectionChanges } from './item-changes/collection-changes';
export type { CollectionRefresh } from './item-changes/refresh.policy';
export { items } from './item-list/items.projection';

/** The event families this capability adds to the catalogue. */
export const contentEvents = [collectionEvents, itemEvents] as const;
/** The read models this capability keeps. */
export const contentProjections = [collections, items, itemRevisions] as const;
