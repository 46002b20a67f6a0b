import { hasEnded, type Goal } from '../goal.state';

export type PartsVerdict =
  | { readonly status: 'open'; readonly open: readonly string[] }
  | { readonly status: 'completed' }
  | { readonly status: 'failed'; readonly reason: string };

type Part = { readonly goalId: string; readonly state: Goal };

/** Any part that failed or was cancelled fails the whole, with its reason; all completed complete it. */
export const verdictOfParts = (parts: readonly Part[]): PartsVerdict => {
  const failed = parts.find(({ state }) => state.status === 'failed' || state.status === 'cancelled');
  if (failed && failed.state.status !== 'none') {
    const { title, status, reason } = failed.state;
    return { status: 'failed', reason: `The part "${title}" ${status === 'failed' ? 'failed' : 'was cancelled'}${reason === null ? '' : `: ${reason}`}` };
  }
  const open = parts.filter(({ state }) => !hasEnded(state)).map(({ goalId }) => goalId);
  return open.length > 0 ? { status: 'open', open } : { status: 'completed' };
};
