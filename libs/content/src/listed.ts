import type { Outcome } from '@app/kernel';
import type { Page, Stored } from '@app/projections';
import type { Listed } from './listed.view';

/** A page of rows as the answer of a query. */
export const listed = <R, View>({ rows, nextCursor, position }: Page<R>, view: (row: Stored<R>) => View): Outcome<Listed<View>> => ({
  ok: true,
  data: { rows: rows.map(view), nextCursor },
  position,
});
