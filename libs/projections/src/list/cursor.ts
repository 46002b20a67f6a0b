import { z } from 'zod';
import type { ColumnType } from '../projection';
import { InvalidCursor } from '../read-models';

/** Where a page ended: the sort value and the id of its last row. A bigint travels as digits. */
export type Cursor = { readonly value: string | number | boolean | null; readonly id: string };

/** What makes one list different from another as far as its cursors go. */
export type CursorScope = {
  readonly projection: string;
  readonly field: string;
  readonly type: ColumnType;
  readonly direction: 'asc' | 'desc';
};

const storable = z.string().refine((text) => !text.includes('\0') && text.isWellFormed());
const CursorText = z.tuple([
  z.string(),
  z.string(),
  z.enum(['asc', 'desc']),
  z.union([storable, z.number(), z.boolean(), z.null()]),
  storable,
]);

export const encodeCursor = ({ projection, field, direction }: CursorScope, { value, id }: Cursor): string =>
  Buffer.from(JSON.stringify([projection, field, direction, value, id])).toString('base64url');

const fits: Readonly<Partial<Record<ColumnType, (value: unknown) => boolean>>> = {
  text: (value) => typeof value === 'string',
  bigint: (value) => typeof value === 'string' && /^-?\d{1,19}$/.test(value),
  integer: Number.isSafeInteger,
  'double precision': (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
};

/** A cursor comes from outside: whatever is not exactly what this list gives out is refused. It grants nothing, so it is not signed. */
export const decodeCursor = (scope: CursorScope, text: string): Cursor => {
  const parsed = CursorText.safeParse(parse(text));
  if (!parsed.success) throw new InvalidCursor(scope.projection, 'it is damaged');
  const [projection, field, direction, value, id] = parsed.data;
  if (projection !== scope.projection) throw new InvalidCursor(scope.projection, 'it comes from another list');
  if (field !== scope.field || direction !== scope.direction) throw new InvalidCursor(scope.projection, 'the sort order has changed');
  if (value !== null && !fits[scope.type]?.(value)) throw new InvalidCursor(scope.projection, 'it is damaged');
  return { value, id };
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
};
