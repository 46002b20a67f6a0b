import { FORGOTTEN, unreachable, type Actor, type Aggregate } from '@app/kernel';
import type { Dropped, StagingEvent } from './staging.events';

type EventData<T extends StagingEvent['type']> = Extract<StagingEvent, { type: T }>['data'];
export type StagedChange = EventData<'ChangeStaged'>;

export type WaitingStaging = {
  readonly status: 'staged';
  readonly change: StagedChange;
  /** Commits that failed. */
  readonly attempts: number;
  /** When silence commits it, or when a failed commit is tried again; null when that was the last attempt. */
  readonly dueAt: string | null;
  readonly lastError: string | null;
};
/** `by` is null when the window decided. */
type Settled = { readonly change: StagedChange; readonly at: string; readonly by: string | null; readonly dropped: Dropped; readonly forgotten?: true };
export type SettledStaging = Settled & { readonly status: 'vetoed' | 'committed' | 'committed_partially' | 'abandoned' };
export type Staging = { readonly status: 'none' } | WaitingStaging | SettledStaging;

/** A change that waits until its window closes: then it is committed, unless a veto came before. Every end is final. */
export const staging: Aggregate<Staging, StagingEvent> = {
  category: 'staging',
  stateVersion: 1,
  initial: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'ChangeStaged') return { status: 'staged', change: event.data, attempts: 0, dueAt: event.data.autoCommitAt, lastError: null };
    if (state.status === 'none') return state;
    if (event.type === 'ChangeForgotten') return state.status === 'staged' ? state : { ...state, forgotten: true, change: { ...state.change, patch: FORGOTTEN, before: FORGOTTEN } };
    if (state.status !== 'staged') return state;
    const { change } = state;
    switch (event.type) {
      case 'StagingVetoed':
        return { status: 'vetoed', change, at: event.data.vetoedAt, by: event.data.by.id, dropped: [] };
      case 'StagingCommitted':
        return { status: 'committed', change, at: event.data.committedAt, by: idOf(event.data.by), dropped: [] };
      case 'StagingCommittedPartially':
        return { status: 'committed_partially', change, at: event.data.committedAt, by: idOf(event.data.by), dropped: event.data.dropped };
      case 'StagingCommitFailed':
        return { ...state, attempts: event.data.attempt, dueAt: event.data.retryAt, lastError: event.data.error };
      case 'StagingAbandoned':
        return { status: 'abandoned', change, at: event.data.abandonedAt, by: null, dropped: event.data.dropped };
      default:
        return unreachable(event);
    }
  },
};

const idOf = (by: Pick<Actor, 'id'> | null) => by?.id ?? null;
