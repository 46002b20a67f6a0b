import { accept, type Context, type Decision, type Principal } from '@app/kernel';
import { changeable } from '../known-memory.policy';
import type { MemoryEvent } from '../memory.events';
import type { Memory } from '../memory.state';
import { personOfActor } from '../person.policy';

export const forgetMemory = (
  state: Memory,
  principal: Principal,
  { actor, siteId, now }: Pick<Context, 'actor' | 'siteId' | 'now'>,
): Decision<{ readonly memory: readonly MemoryEvent[] }> => {
  const found = changeable(state, principal, siteId);
  return found.ok ? accept({ memory: [{ type: 'MemoryForgotten', data: { by: personOfActor(actor), at: now.toISOString() } }] }) : found;
};
