import { generationTable, quoted, type Shape } from './shape';

/** Text sorts by bytes whatever the database's locale is: the same order on every machine, and the order that the in-memory twin has. */
const sqlType = (type: string) => (type === 'text' ? 'text COLLATE "C"' : type);

const columnList = ({ columns }: Shape) =>
  columns.map(({ name, type }) => `${quoted(name)} ${sqlType(type)}${['id', 'site_id', 'position'].includes(name) ? ' NOT NULL' : ''}`);

/** The table of one generation under the given name. The key's name carries the generation: renames leave it alone. */
export const createTable = (shape: Shape, table: string, name: string, generation: number) =>
  `CREATE TABLE ${quoted(table)} (${columnList(shape).join(', ')},
     CONSTRAINT ${quoted(`${generationTable(name, generation)}_key`)} PRIMARY KEY (id)) WITH (fillfactor = 90)`;

/** A table that only this session sees and that ends with it. */
export const createScratchTable = (shape: Shape, table: string) =>
  `CREATE TEMPORARY TABLE ${quoted(table)} (${columnList(shape).join(', ')}, PRIMARY KEY (id))`;

export const createIndexes = ({ indexes, searched }: Shape, table: string, name: string, generation: number): readonly string[] => {
  const create = (suffix: string, on: string) => `CREATE INDEX IF NOT EXISTS ${quoted(`${generationTable(name, generation)}_${suffix}`)} ON ${quoted(table)} ${on}`;
  return [
    ...indexes.map((columns, i) => create(`i${i}`, `(${columns.map(quoted).join(', ')})`)),
    // Without a list of what is yet to be indexed: a search would go through all of it, and plans would avoid the index while it is long.
    ...searched.map((column, i) => create(`s${i}`, `USING gin (${quoted(column)} jsonb_path_ops) WITH (fastupdate = off)`)),
  ];
};
