import { unreachable, type Aggregate } from '@app/kernel';
import type { ConstitutionEvent } from './constitution.events';
import type { Evaluator } from './evaluator.schema';

export type KnownConstitution = {
  /** `drafted` until another version takes its place; whether it is in force meanwhile, the governance stream knows. */
  readonly status: 'drafted' | 'archived';
  readonly constitutionId: string;
  readonly siteId: string;
  readonly hash: string;
  readonly evaluators: readonly Evaluator[];
};
export type Constitution = { readonly status: 'none' } | KnownConstitution;

export const constitution: Aggregate<Constitution, ConstitutionEvent> = {
  category: 'constitution',
  stateVersion: 1,
  initial: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'ConstitutionDrafted') return { status: 'drafted', ...event.data };
    if (state.status === 'none') return state;
    switch (event.type) {
      case 'ConstitutionDryRun':
      case 'ConstitutionBacktested':
        return state;
      case 'ConstitutionArchived':
        return { ...state, status: 'archived' };
      default:
        return unreachable(event);
    }
  },
};
