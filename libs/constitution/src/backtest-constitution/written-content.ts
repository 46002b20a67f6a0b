import { item, type Item, type ItemEvent } from '@app/content/contract';
import type { EventStore } from '@app/event-store';
import type { GovernanceEvent } from '@app/governance/contract';
import type { Recorded } from '@app/kernel';
import type { RunEvent } from '@app/runs/contract';

type Activated = Extract<GovernanceEvent, { type: 'ConstitutionActivated' }>;
type Pinned = Extract<RunEvent, { type: 'ConstitutionPinned' }>;
const TYPES = ['ItemCreated', 'ItemPatched', 'ItemRestored', 'VersionPromoted', 'ItemDeleted', 'ConstitutionActivated', 'ConstitutionPinned'];

/** Content as it was after one write, and the constitution that the writer was bound to: a run's own, else the one in force then. */
export type Written = {
  readonly position: bigint;
  readonly at: string;
  readonly streamId: string;
  readonly collection: string;
  readonly data: unknown;
  readonly runId: string | null;
  readonly bound: string | null;
};

/** Every write of content on a site up to a position, in order. Holds the live items of the site and the pins of its runs meanwhile. */
export async function* writtenContent(store: Pick<EventStore, 'readAll'>, siteId: string, to: bigint, signal: AbortSignal): AsyncGenerator<Written> {
  const items = new Map<string, Item>();
  const pins = new Map<string, string>();
  let inForce: string | null = null;
  for await (const page of store.readAll(0n, { filter: { siteId, types: TYPES }, signal })) {
    for (const event of page as readonly Recorded<ItemEvent | Activated | Pinned>[]) {
      if (event.position > to) return;
      if (event.type === 'ConstitutionActivated') {
        inForce = event.data.constitutionId;
        continue;
      }
      const { streamId, position, occurredAt: at, metadata: { runId = null } } = event;
      if (event.type === 'ConstitutionPinned') {
        if (!pins.has(streamId)) pins.set(streamId, event.data.constitutionId);
        continue;
      }
      const state = item.evolve(items.get(streamId) ?? item.initial, event);
      if (state.status !== 'live') {
        items.delete(streamId);
        continue;
      }
      items.set(streamId, state);
      // A run that was opened while there was no constitution is bound to none.
      const bound = runId === null ? inForce : (pins.get(`run-${runId}`) ?? null);
      yield { position, at, streamId, collection: state.collection, data: state.data, runId, bound };
    }
  }
}
