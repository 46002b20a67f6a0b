import { printable } from './terminal';

export type Cell = string | number | boolean | bigint | null | undefined;

const text = (cell: Cell): string => (cell === null || cell === undefined ? '' : printable(String(cell)));
const width = (value: string): number => [...value].length;

/** Rows in aligned columns, two spaces apart, no trailing spaces. */
export const aligned = (rows: readonly (readonly Cell[])[]): string => {
  const cells = rows.map((row) => row.map(text));
  const widths: number[] = [];
  for (const row of cells) row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, width(cell))));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell)))
      .join('  ')
      .trimEnd();
  return cells.map(line).join('\n');
};

/** A table with a heading; says so in words when there is nothing to show. */
export const table = (heading: readonly string[], rows: readonly (readonly Cell[])[], empty = 'Nothing to show.'): string =>
  rows.length === 0 ? empty : aligned([heading, ...rows]);
