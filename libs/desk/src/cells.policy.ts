import { reject, type Rejected } from '@app/kernel';
import { MAX_BYTES, MAX_ROWS, type Cells, type CellValue, type Column, type DeskChange, type FileContent } from './desk.schema';

type Wrong = { readonly pointer: string; readonly detail: string };
const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

const FITS: Readonly<Record<Column['type'], (value: CellValue) => boolean>> = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER,
  boolean: (value) => typeof value === 'boolean',
  date: (value) => typeof value === 'string' && DAY.test(value) && new Date(`${value}T00:00:00Z`).getUTCDate() === Number(value.slice(8)),
};

const invalid = (errors: readonly Wrong[]): Rejected => reject('invalid', 'VALIDATION_FAILED', 'The table does not hold together.', { errors: errors.slice(0, 20) });

const cellsProblems = ({ columns, rows }: Cells): readonly Wrong[] => {
  const names = columns.map(({ name }) => name);
  const twice = names.findIndex((name, nr) => names.indexOf(name) !== nr);
  if (twice >= 0) return [{ pointer: `/columns/${twice}/name`, detail: 'Two columns have one name' }];
  if (rows.length > MAX_ROWS) return [{ pointer: '/rows', detail: `A table has at most ${MAX_ROWS} rows` }];
  return rows.flatMap((row, nr) => {
    if (row.length !== columns.length) return [{ pointer: `/rows/${nr}`, detail: `Must have ${columns.length} values, one for each column` }];
    return row.flatMap((value, column) => (value === null || FITS[columns[column]!.type](value) ? [] : [{ pointer: `/rows/${nr}/${column}`, detail: `Must be a ${columns[column]!.type}, or null` }]));
  });
};

/** Why a content cannot be kept; undefined when it can. */
export const contentRefusal = (type: 'markdown' | 'cells', content: FileContent): Rejected | undefined => {
  if ((type === 'markdown') !== (typeof content === 'string')) {
    const detail = type === 'markdown' ? 'A file of type markdown holds a text' : 'A file of type cells holds columns and rows';
    return reject('invalid', 'VALIDATION_FAILED', `${detail}.`, { errors: [{ pointer: '/content', detail }] });
  }
  const problems = typeof content === 'string' ? [] : cellsProblems(content);
  if (problems.length > 0) return invalid(problems);
  const bytes = utf8(JSON.stringify(content));
  return bytes > MAX_BYTES ? reject('invalid', 'PAYLOAD_TOO_LARGE', `A desk file holds at most ${MAX_BYTES} bytes as JSON; this would be ${bytes}.`, { bytes, maxBytes: MAX_BYTES }) : undefined;
};

/** As UTF-8; a table as JSON. */
export const bytesOf = (content: FileContent): number => utf8(typeof content === 'string' ? content : JSON.stringify(content));

const utf8 = (text: string) => new TextEncoder().encode(text).length;

/** What people and a search read of a content. */
export const textOf = (content: FileContent): string =>
  typeof content === 'string' ? content : [content.columns.map(({ name }) => name), ...content.rows].map((row) => row.filter((value) => value !== null).join(' ')).join('\n');

/** A table after its edits, or which of them point at nothing. */
export const editedCells = (cells: Cells, { set = [], deleteRows = [], appendRows = [] }: Extract<DeskChange, { do: 'update_cells' }>): Cells | Rejected => {
  if (set.length + deleteRows.length + appendRows.length === 0) return invalid([{ pointer: '', detail: 'Name cells to set, or rows to delete or append' }]);
  const place = (column: string) => cells.columns.findIndex(({ name }) => name === column);
  const wrong: Wrong[] = [
    ...set.flatMap(({ row, column }, nr) => [
      ...(row < cells.rows.length ? [] : [{ pointer: `/set/${nr}/row`, detail: `The table has ${cells.rows.length} rows, counted from 0` }]),
      ...(place(column) >= 0 ? [] : [{ pointer: `/set/${nr}/column`, detail: 'The table has no such column' }]),
    ]),
    ...deleteRows.flatMap((row, nr) => (row < cells.rows.length ? [] : [{ pointer: `/deleteRows/${nr}`, detail: `The table has ${cells.rows.length} rows, counted from 0` }])),
  ];
  if (wrong.length > 0) return invalid(wrong);
  const rows = cells.rows.map((row) => [...row]);
  for (const { row, column, value } of set) rows[row]![place(column)] = value;
  const gone = new Set(deleteRows);
  return { columns: cells.columns, rows: [...rows.filter((_row, nr) => !gone.has(nr)), ...appendRows] };
};
