import type { AnyProjection, ColumnType } from '../projection';

/** One column of a read model's table: the row's field, its column, its type. */
export type Column = { readonly field: string; readonly name: string; readonly type: ColumnType };

/** A projection's table without its name: that changes with the generation. `position` is the last column. */
export type Shape = { readonly columns: readonly Column[]; readonly indexes: readonly (readonly string[])[]; /** Columns with an inverted index. */ readonly searched: readonly string[] };

const snakeCase = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const quoted = (identifier: string) => `"${identifier.replaceAll('"', '""')}"`;

/** Names that PostgreSQL would cut at 63 bytes, or that could meet the log's own tables, are refused. `__g` marks generations. */
const checkName = (name: string) => {
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(name) || name.includes('__') || /^(es|pg)_/.test(name))
    throw new Error(`Projection name "${name}" must be snake_case, at most 40 characters, without "__" and not starting with es_ or pg_`);
};

export const shapeOf = ({ name, columns, indexes = [], searched = [] }: AnyProjection): Shape => {
  checkName(name);
  const all: Column[] = [
    { field: 'id', name: 'id', type: 'text' },
    { field: 'siteId', name: 'site_id', type: 'text' },
    ...Object.entries(columns).map(([field, type]) => ({ field, name: snakeCase(field), type })),
    { field: 'position', name: 'position', type: 'bigint' },
  ];
  const columnOf = (field: string) => {
    const column = all.find((each) => each.field === field);
    if (!column) throw new Error(`Projection ${name} indexes ${field}, which is no field of its rows`);
    return column.name;
  };
  if (new Set(all.map((column) => column.name)).size < all.length) throw new Error(`Two fields of projection ${name} share a column name`);
  // The id ends each index, so that keyset paging by (site, field, id) reads the index and nothing else.
  const wrong = searched.find((field) => columns[field] !== 'jsonb');
  if (wrong !== undefined) throw new Error(`Projection ${name} cannot be searched by ${wrong}: only a field of type jsonb has keys`);
  return { searched: searched.map(columnOf), columns: all, indexes: [[], ...indexes].map((fields) => [...new Set(['site_id', ...fields.map(columnOf), 'id'])]) };
};

export const servingTable = (name: string) => name;
export const generationTable = (name: string, generation: number) => `${name}__g${generation}`;
