import type { Outcome } from '@app/kernel';
import { ProblemException } from './problem';

/** The body of every successful answer. `position` is a log position as text. */
export type Answer<Data> = { readonly data: Data; readonly position: string };

/** The body of every list. `nextCursor` is null on the last page. */
export type ListAnswer<Item> = { readonly data: readonly Item[]; readonly nextCursor: string | null; readonly position: string };

export const answer = <Data>(data: Data, position: bigint): Answer<Data> => ({ data, position: String(position) });

/** The answer of a command that was accepted; one that was rejected leaves as a problem. No other code maps outcomes to status codes. */
export const orProblem = <Data>(outcome: Outcome<Data>): Answer<Data> => {
  if (outcome.ok) return answer(outcome.data, outcome.position);
  throw ProblemException.of(outcome.rejection);
};

type PageOf<R> = { readonly rows: readonly R[]; readonly nextCursor: string | null; readonly position: bigint };

/** One page of a read model; `map` makes the public view of a row. */
export function listAnswer<R>(page: PageOf<R>): ListAnswer<R>;
export function listAnswer<R, Item>(page: PageOf<R>, map: (row: R) => Item): ListAnswer<Item>;
export function listAnswer<R>({ rows, nextCursor, position }: PageOf<R>, map?: (row: R) => unknown): ListAnswer<unknown> {
  return { data: map ? rows.map((row) => map(row)) : rows, nextCursor, position: String(position) };
}
