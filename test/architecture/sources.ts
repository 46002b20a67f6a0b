import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Source = { readonly path: string; readonly text: string };

const root = join(import.meta.dirname, '../..');

/** What is shipped of a folder: no specs, no examples, no helpers of tests. */
export const shipped = (folder: string): readonly Source[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(spec|examples|conformance)\.ts$|(^|\/)testing\//.test(file))
    .map((file) => ({ path: `${folder}/${file}`, text: readFileSync(join(root, folder, file), 'utf8') }));

export const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
