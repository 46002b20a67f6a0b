import type { ColumnType } from '../projection';
import { quoted, type Column, type Shape } from './shape';

/** How a column's values travel as one array parameter, and what turns an element into the column's value. */
const transport: Readonly<Record<ColumnType, { readonly array: string; readonly from: (element: string) => string }>> = {
  text: { array: 'text[]', from: (e) => e },
  bigint: { array: 'bigint[]', from: (e) => e },
  integer: { array: 'integer[]', from: (e) => e },
  boolean: { array: 'boolean[]', from: (e) => e },
  'double precision': { array: 'double precision[]', from: (e) => e },
  // An array of arrays would have to be rectangular, and jsonb[] would be parsed twice: both travel as text.
  jsonb: { array: 'text[]', from: (e) => `${e}::jsonb` },
  'text[]': { array: 'text[]', from: (e) => `${e}::text[]` },
};

const upsert = (columns: readonly Column[], table: string, source: string, firstParameter: number) => {
  const names = columns.map(({ name }) => quoted(name));
  const arrays = columns.map(({ type }, i) => `$${firstParameter + i}::${transport[type].array}`);
  return `INSERT INTO ${quoted(table)} (${names.join(', ')})
    SELECT ${columns.map(({ type, name }) => transport[type].from(`u.${quoted(name)}`)).join(', ')}
    FROM ${source}unnest(${arrays.join(', ')}) AS u (${names.join(', ')})
    ON CONFLICT (id) DO UPDATE SET ${names.slice(1).map((name) => `${name} = excluded.${name}`).join(', ')}`;
};

/** Rows by id, for a fold that goes on. $1: ids. */
export const loadStatement = ({ columns }: Shape, table: string) =>
  `SELECT ${columns.map(({ name }) => quoted(name)).join(', ')} FROM ${quoted(table)} WHERE id = ANY($1::text[])`;

/**
 * Rows and checkpoint in one statement, which is one transaction and one round trip. Everything hangs on the checkpoint's row: when its
 * fence or its position is not what the writer believes, nothing at all is written and the statement answers no row.
 * $1 name, $2 generation, $3 fence, $4 position before, $5 position after, $6 ids to delete, $7… one array per column.
 */
export const commitStatement = ({ columns }: Shape, table: string) => `
  WITH checkpoint AS (
    UPDATE es_projection SET position = $5::bigint
    WHERE name = $1 AND generation = $2 AND fence = $3::bigint AND position = $4::bigint AND state = 'running'
    RETURNING true AS held
  ), gone AS (DELETE FROM ${quoted(table)} USING checkpoint WHERE id = ANY($6::text[])
  ), written AS (${upsert(columns, table, 'checkpoint, ', 7)})
  SELECT held FROM checkpoint`;

/** The same writes without a checkpoint, for a transaction that moves it by itself. $1… one array per column. */
export const upsertStatement = ({ columns }: Shape, table: string) => upsert(columns, table, '', 1);
export const deleteStatement = (table: string) => `DELETE FROM ${quoted(table)} WHERE id = ANY($1::text[])`;
export const copyStatement = ({ columns }: Shape, table: string) =>
  `COPY ${quoted(table)} (${columns.map(({ name }) => quoted(name)).join(', ')}) FROM STDIN`;
