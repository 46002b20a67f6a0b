import { accept, reject, type Context, type Decision, type Principal } from '@app/kernel';
import { changeable } from '../known-memory.policy';
import type { MemoryEvent } from '../memory.events';
import type { Memory } from '../memory.state';
import { personOfActor } from '../person.policy';

/** `sealed` was made of revision `from`: of another one it would bring back what was taken out meanwhile. */
export const redactMemory = (
  state: Memory,
  { from, sealed }: { readonly from: number; readonly sealed: string },
  principal: Principal,
  { actor, siteId, now }: Pick<Context, 'actor' | 'siteId' | 'now'>,
): Decision<{ readonly memory: readonly MemoryEvent[] }> => {
  const found = changeable(state, principal, siteId);
  if (!found.ok) return found;
  if (found.memory.revision !== from) return reject('conflict', 'CONFLICT', 'This memory was redacted by somebody else meanwhile; look at it again and repeat the request.');
  return accept({ memory: [{ type: 'MemoryRedacted', data: { revision: from + 1, sealed, by: personOfActor(actor), at: now.toISOString() } }] });
};
