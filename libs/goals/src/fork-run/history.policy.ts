import { callIn, type OpenedRun, type RunEvent } from '@app/runs/contract';

/**
 * The calls of a run that stand before one of them, in the order in which they were first asked for, and that have a final answer: only such
 * an answer is history. Undefined when the run has no such call. A run that is a fork itself begins with the calls that it inherited.
 */
export const callsBefore = (run: OpenedRun, events: readonly RunEvent[], atCallId: string): readonly string[] | undefined => {
  const inherited = run.fork?.inherited ?? [];
  const own = events.flatMap(({ data }) => ('callId' in data && typeof data.callId === 'string' ? [data.callId] : []));
  const calls = [...new Set([...inherited, ...own])];
  const at = calls.indexOf(atCallId);
  if (at < 0) return undefined;
  const isSettled = (callId: string) => callIn(run.calls, callId) === undefined || !Object.hasOwn(run.calls.open, callId);
  return calls.slice(0, at).filter(isSettled);
};
