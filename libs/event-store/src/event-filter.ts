import { categoryOf, type Recorded } from '@app/kernel';
import type { EventFilter } from './event-store';

/** The filter as a question about one event; undefined when every event passes. */
export const matcherOf = (filter: EventFilter | undefined): ((event: Recorded) => boolean) | undefined => {
  if (!filter || Object.values(filter).every((condition) => condition === undefined)) return undefined;
  const { siteId, streamId } = filter;
  const categories = filter.categories && new Set(filter.categories);
  const types = filter.types && new Set(filter.types);
  return (event) =>
    (siteId === undefined || event.siteId === siteId) &&
    (streamId === undefined || event.streamId === streamId) &&
    (!types || types.has(event.type)) &&
    (!categories || categories.has(categoryOf(event.streamId)));
};
