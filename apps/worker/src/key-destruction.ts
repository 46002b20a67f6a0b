import { PARK_AFTER_FIVE, UNCONCERNED, type SubscribeOptions } from '@app/event-store';
import type { Recorded } from '@app/kernel';
import { FORGETTING, forgottenBy } from '@app/memory';
import type { MemoryEvent } from '@app/memory/contract';
import type { RunEvent } from '@app/runs/contract';
import { DESTROYING, destroyedBy } from '@app/tool-calls';
import type { Vault } from '@app/vault';

/** A key may outlive its call by so much, so that the calls of that time share one look. */
const GATHER_MS = 200;

/**
 * Destroys the keys of exact arguments that nobody needs any more, in the transaction of the consumer's own checkpoint: however often a
 * process dies on the way, no outcome is passed over. Most calls have no key, so a batch that meets an empty shelf costs one look.
 */
export const keyDestruction = (vault: Vault): SubscribeOptions => ({
  name: 'key-destruction',
  filter: { categories: ['run'], types: DESTROYING },
  gatherMs: GATHER_MS,
  failure: PARK_AFTER_FIVE,
  handler: async (events, tx) => {
    if (!(await vault.holdsBelow('call:'))) return UNCONCERNED;
    await vault.destroyBelow([...new Set(events.flatMap((event) => destroyedBy(event as unknown as Recorded<RunEvent>) ?? []))], tx);
    return undefined;
  },
});

/** Whoever forgets or redacts a memory destroys its keys at once; this is for a process that died before it could. */
export const memoryKeyDestruction = (vault: Vault): SubscribeOptions => ({
  name: 'memory-key-destruction',
  filter: { categories: ['memory'], types: FORGETTING },
  gatherMs: GATHER_MS,
  handler: async (events, tx) => {
    await vault.destroyBelow([...new Set(events.flatMap((event) => forgottenBy(event as unknown as Recorded<MemoryEvent>)))], tx);
    return undefined;
  },
});
