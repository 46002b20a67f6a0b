import type { Outcome } from '@app/kernel';
import { z } from 'zod';

/** A page of a list, as agents ask for it. */
export const ListPage = z.strictObject({ limit: z.int().min(1).max(200).default(50), cursor: z.string().min(1).max(1_024).optional() });

type Listed<Row> = { readonly rows: readonly Row[]; readonly nextCursor: string | null };

/** The position is the call's own affair; what an agent reads is the page. */
export const listed = async <Row>(asking: Promise<Listed<Row> & { readonly position: bigint }>): Promise<Outcome<Listed<Row>>> => {
  const { rows, nextCursor, position } = await asking;
  return { ok: true, data: { rows, nextCursor }, position };
};
