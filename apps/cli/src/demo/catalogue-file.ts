import { createReadStream, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse';
import type { ProductRow } from './product-row';

export type NumberedRow = { readonly line: number; readonly row: ProductRow };

/** The rows of a CSV file as they come, with the line each one ends on; a large file is never held whole. */
export async function* rowsOf(file: string): AsyncGenerator<NumberedRow> {
  const parser = createReadStream(file).pipe(
    parse({ bom: true, columns: true, skip_empty_lines: true, info: true, relax_column_count: true }),
  );
  for await (const { record, info } of parser as AsyncIterable<{ record: ProductRow; info: { lines: number } }>)
    yield { line: info.lines, row: record };
}

const SAMPLE = 'test/corpus/catalogue/products.csv';

/** The sample file of the repository, wherever this program was built to. */
export const sampleCatalogue = (): string => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, SAMPLE);
    if (existsSync(file)) return file;
    if (folder === dirname(folder)) throw new Error(`${SAMPLE} is missing; give a file with --file`);
  }
};
