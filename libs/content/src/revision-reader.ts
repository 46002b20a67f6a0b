import { Injectable } from '@nestjs/common';
import { EventStore } from '@app/event-store';
import type { Recorded } from '@app/kernel';
import { isItemId } from './item-id.policy';
import type { ItemData, ItemEvent } from './item.events';
import { item } from './item.state';

const REVISIONS: readonly string[] = ['ItemCreated', 'ItemPatched', 'ItemRestored', 'VersionPromoted'];

/** Items as they were: the past of a stream never changes, so it can be read before a decision is taken. */
@Injectable()
export class RevisionReader {
  constructor(private readonly store: EventStore) {}

  /** The values after a revision; null when the item has no revision of that number that left values behind. */
  async valuesAt(id: string, revision: number): Promise<ItemData | null> {
    if (!isItemId(id)) return null;
    let state = item.initial;
    for await (const event of this.store.read(`item-${id}`)) {
      state = item.evolve(state, event as Recorded<ItemEvent>);
      if (event.version === revision) return state.status === 'live' && REVISIONS.includes(event.type) ? state.data : null;
    }
    return null;
  }
}
