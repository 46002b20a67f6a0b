import { projection } from '@app/projections/contract';
import type { MemoryEvent } from '../memory.events';
import { memory, type LiveMemory, type Memory } from '../memory.state';

/** `role`, `goalId` and `userId` are those of the scope, empty where it is for all; what never expires does so at the end of time. */
export type MemoryRow = {
  readonly id: string; readonly siteId: string; readonly role: string; readonly goalId: string; readonly userId: string; readonly expires: string; readonly memory: LiveMemory;
};
export const FOR_ALL = '';
export const NEVER = '9999-12-31T23:59:59.999Z';

const next = (row: MemoryRow | null, event: MemoryEvent): MemoryRow | null => {
  const state: Memory = memory.evolve(row?.memory ?? memory.initial, event);
  if (state.status !== 'live') return null;
  const { role, goalId, userId } = state.scope;
  return { id: state.memoryId, siteId: state.siteId, role: role ?? FOR_ALL, goalId: goalId ?? FOR_ALL, userId: userId ?? FOR_ALL, expires: state.expiresAt ?? NEVER, memory: state };
};

/** Every memory that was not forgotten, its text sealed as it is in the log. */
export const memories = projection<MemoryRow, MemoryEvent>({
  name: 'memories',
  version: 1,
  columns: { role: 'text', goalId: 'text', userId: 'text', expires: 'text', memory: 'jsonb' },
  indexes: [['goalId', 'userId', 'id']],
  on: { MemoryStored: next, MemoryRedacted: next, MemoryForgotten: next },
});
