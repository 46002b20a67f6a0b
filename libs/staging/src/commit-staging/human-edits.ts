import { isPersonsOwn, type ItemEvent } from '@app/content/contract';
import type { EventStore } from '@app/event-store';
import type { Recorded } from '@app/kernel';

/** Fields of an item that people changed themselves after version `from`, up to version `to`. */
export const humanEdits = async (store: EventStore, itemId: string, from: number, to: number): Promise<ReadonlySet<string>> => {
  const edited = new Set<string>();
  if (to <= from) return edited;
  for await (const event of store.read(`item-${itemId}`, from + 1)) {
    if (event.version > to) break;
    const { type, data, metadata } = event as Recorded<ItemEvent>;
    if ((type === 'ItemPatched' || type === 'ItemRestored' || type === 'VersionPromoted') && isPersonsOwn(metadata)) for (const field of Object.keys(data.patch)) edited.add(field);
  }
  return edited;
};
