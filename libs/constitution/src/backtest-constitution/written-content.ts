import { item, type Item, type ItemEvent } from '@app/content/contract';
import type { EventStore } from '@app/event-store';
import type { GovernanceEvent } from '@app/governance/contract';
import type { Recorded } from '@app/kernel';

type Activated = Extract<GovernanceEvent, { type: 'ConstitutionActivated' }>;
const TYPES = ['ItemCreated', 'ItemPatched', 'ItemDeleted', 'ConstitutionActivated'];

/** Content as it was after one write, and the constitution that was in force then. */
export type Written = {
  readonly position: bigint;
  readonly at: string;
  readonly streamId: string;
  readonly collection: string;
  readonly data: unknown;
  readonly inForce: string | null;
};

/** Every write of content on a site up to a position, in order. Holds the live items of the site meanwhile. */
export async function* writtenContent(store: EventStore, siteId: string, to: bigint, signal: AbortSignal): AsyncGenerator<Written> {
  const items = new Map<string, Item>();
  let inForce: string | null = null;
  for await (const page of store.readAll(0n, { filter: { siteId, types: TYPES }, signal })) {
    for (const event of page as readonly Recorded<ItemEvent | Activated>[]) {
      if (event.position > to) return;
      if (event.type === 'ConstitutionActivated') {
        inForce = event.data.constitutionId;
        continue;
      }
      const { streamId, position, occurredAt: at } = event;
      const state = item.evolve(items.get(streamId) ?? item.initial, event);
      if (state.status === 'live') {
        items.set(streamId, state);
        yield { position, at, streamId, collection: state.collection, data: state.data, inForce };
      } else items.delete(streamId);
    }
  }
}
