import { unreachable, type Aggregate } from '@app/kernel';
import type { MemoryEvent } from './memory.events';

type Stored = Extract<MemoryEvent, { type: 'MemoryStored' }>['data'];

export type LiveMemory = Omit<Stored, 'at'> & { readonly status: 'live'; readonly revision: number; readonly storedAt: string; readonly changedAt: string };
/** Nothing is left of what was written, only that there was something, and for whom. */
export type ForgottenMemory = Pick<LiveMemory, 'memoryId' | 'siteId' | 'scope' | 'provenance'> & { readonly status: 'forgotten'; readonly revision: number; readonly forgottenAt: string };
export type KnownMemory = LiveMemory | ForgottenMemory;
export type Memory = { readonly status: 'none' } | KnownMemory;

/** A text that may be redacted any number of times and forgotten once. */
export const memory: Aggregate<Memory, MemoryEvent> = {
  category: 'memory',
  stateVersion: 1,
  initial: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'MemoryStored') {
      const { at, ...stored } = event.data;
      return { status: 'live', ...stored, revision: 1, storedAt: at, changedAt: at };
    }
    if (state.status !== 'live') return state;
    switch (event.type) {
      case 'MemoryRedacted':
        return { ...state, revision: event.data.revision, sealed: event.data.sealed, changedAt: event.data.at };
      case 'MemoryForgotten': {
        const { memoryId, siteId, scope, provenance, revision } = state;
        return { status: 'forgotten', memoryId, siteId, scope, provenance, revision, forgottenAt: event.data.at };
      }
      default:
        return unreachable(event);
    }
  },
};
