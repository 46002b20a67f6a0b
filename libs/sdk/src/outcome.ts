/** What came of work that was carried out here. `error` is a sentence for the agent. */
export type Outcome = { readonly status: 'executed'; readonly result?: unknown } | { readonly status: 'failed'; readonly error: string };

/** `runtimeMs`: how long it took; counts against the run's budget. */
export type CallOutcome = Outcome & { readonly runtimeMs?: number };

const LONGEST = 2_000;

/** A message that the log can hold: never empty, no NUL, no half of a pair, at most 2,000 characters. */
export const sentenceOf = (error: unknown): string => {
  const text = error instanceof Error || (typeof error === 'object' && error !== null && 'message' in error) ? String(error.message) : String(error);
  return text.replaceAll('\0', '').trim().slice(0, LONGEST).toWellFormed().trim() || 'It failed.';
};

/** Does the work and never rejects. A result that is no JSON value cannot be told, so it counts as failed. */
export const outcomeOf = async (work: () => unknown): Promise<Outcome> => {
  try {
    const result = await work();
    return JSON.stringify(result) === undefined ? { status: 'executed' } : { status: 'executed', result };
  } catch (error) {
    return { status: 'failed', error: sentenceOf(error) };
  }
};

/** For a server that does not take the result, because it is too large or holds what cannot be stored: the work is done and must not be done again unseen. */
export const untold = (refusal: { readonly detail: string }): Outcome => ({
  status: 'failed', error: sentenceOf(`It was carried out, but its result cannot be recorded: ${refusal.detail}`),
});

export const isAboutTheResult = ({ status }: { readonly status: number }): boolean => status === 413 || status === 422;
