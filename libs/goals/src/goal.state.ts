import { FORGOTTEN_TEXT, unreachable, type Aggregate } from '@app/kernel';
import type { GoalEvent } from './goal.events';

type Created = Extract<GoalEvent, { type: 'GoalCreated' }>['data'];

export type GoalStatus = 'open' | 'running' | 'completed' | 'failed' | 'cancelled';
export type Goal = { readonly status: 'none' } | (Created & {
  readonly status: GoalStatus;
  readonly runId: string | null;
  readonly reason: string | null;
  /** Goals this one was decomposed into, in all its decompositions. */
  readonly children: readonly string[];
});

/** Open, running, then one of three ends; an end is final. */
export const goal: Aggregate<Goal, GoalEvent> = {
  category: 'goal',
  stateVersion: 2,
  initial: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'GoalCreated') return { ...event.data, status: 'open', runId: null, reason: null, children: [] };
    if (event.type === 'GoalForgotten') return state.status === 'none' || state.reason === null ? state : { ...state, reason: FORGOTTEN_TEXT };
    if (state.status === 'none' || hasEnded(state)) return state;
    switch (event.type) {
      case 'GoalStarted':
        return { ...state, status: 'running', runId: event.data.runId };
      case 'GoalDecomposed':
        return { ...state, children: [...state.children, ...event.data.children.map(({ goalId }) => goalId)] };
      case 'GoalSettled':
        return { ...state, status: event.data.status, reason: event.data.reason ?? null };
      case 'GoalCancelled':
        return { ...state, status: 'cancelled', reason: event.data.reason ?? null };
      default:
        return unreachable(event);
    }
  },
};

export const hasEnded = ({ status }: Goal) => status === 'completed' || status === 'failed' || status === 'cancelled';
