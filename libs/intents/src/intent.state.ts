import { unreachable, type Aggregate } from '@app/kernel';
import type { IntentEvent } from './intent.events';
import type { IntentDefinition } from './intent.schema';
import { driftIn, NO_DRIFTS, withDrift, withoutDrift, type OpenDrifts } from './open-drifts.state';

/** `goals` counts what this cycle brought forth. */
export type Cycle = { readonly cycle: number; readonly running: boolean; readonly dueAt: string | null; readonly startedAt: string; readonly goals: number; readonly finishedAt: string | null };

export type LiveIntent = {
  readonly status: 'live';
  readonly intentId: string;
  readonly siteId: string;
  readonly definition: IntentDefinition;
  readonly declaredAt: string;
  readonly changedAt: string;
  readonly drifts: OpenDrifts;
  readonly last: Cycle | null;
  /** Where the next scan goes on. */
  readonly cursor: string | null;
  /** Goals that failed in a row. */
  readonly failures: number;
};
export type Intent = { readonly status: 'none' } | LiveIntent | { readonly status: 'deleted'; readonly siteId: string; readonly deletedAt: string };

/** A scan waits where it is until some are resolved. Nobody works off more than these in a day, and each of them is 300 bytes of the state. */
export const MOST_OPEN_DRIFTS = 5_000;

/** Cycles are numbered, so that a worker that has been overtaken is noticed. */
export const intent: Aggregate<Intent, IntentEvent> = {
  category: 'intent',
  stateVersion: 1,
  initial: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'IntentDeclared') {
      const { intentId, siteId, definition, at } = event.data;
      return { status: 'live', intentId, siteId, definition, declaredAt: at, changedAt: at, drifts: NO_DRIFTS, last: null, cursor: null, failures: 0 };
    }
    return state.status === 'live' ? evolveLive(state, event) : state;
  },
};

const evolveLive = (state: LiveIntent, event: Exclude<IntentEvent, { type: 'IntentDeclared' }>): Intent => {
  switch (event.type) {
    case 'IntentChanged':
      return { ...state, definition: event.data.definition, changedAt: event.data.at };
    case 'IntentDeleted':
      return { status: 'deleted', siteId: state.siteId, deletedAt: event.data.at };
    case 'DriftScanStarted': {
      const { cycle, dueAt, at } = event.data;
      return { ...state, last: { cycle, running: true, dueAt, startedAt: at, goals: 0, finishedAt: null } };
    }
    case 'DriftFound': {
      const { at, ...found } = event.data;
      return { ...state, drifts: withDrift(state.drifts, { ...found, foundAt: at, goalId: null, goals: 0, waitUntil: null }) };
    }
    case 'DriftAssigned': {
      const { fingerprint, goalId, cycle } = event.data;
      const drift = driftIn(state.drifts, fingerprint);
      const last = state.last?.cycle === cycle ? { ...state.last, goals: state.last.goals + 1 } : state.last;
      return drift ? { ...state, last, drifts: withDrift(state.drifts, { ...drift, goalId, goals: drift.goals + 1, waitUntil: null }) } : state;
    }
    case 'DriftReleased': {
      const { fingerprint, outcome, waitUntil, broke } = event.data;
      const drift = driftIn(state.drifts, fingerprint);
      // A cancelled goal says nothing about the work; what broke the intent is over once somebody resumes it.
      const failures = broke ? 0 : outcome === 'failed' ? state.failures + 1 : outcome === 'unrepaired' ? 0 : state.failures;
      return { ...state, failures, ...(drift && { drifts: withDrift(state.drifts, { ...drift, goalId: null, waitUntil }) }) };
    }
    case 'DriftResolved':
      return { ...state, drifts: withoutDrift(state.drifts, event.data.fingerprint), failures: event.data.resolution === 'repaired' ? 0 : state.failures };
    case 'DriftScanFinished':
      return {
        ...state, cursor: event.data.cursor,
        last: state.last?.cycle === event.data.cycle ? { ...state.last, running: false, finishedAt: event.data.at } : state.last,
      };
    case 'IntentWarned':
      return state;
    default:
      return unreachable(event);
  }
};
