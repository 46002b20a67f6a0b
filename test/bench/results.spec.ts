import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Results } from './results';

const folder = import.meta.dirname;
const results = JSON.parse(readFileSync(join(folder, 'results/latest.json'), 'utf8')) as Results;
const report = readFileSync(join(folder, 'RESULTS.md'), 'utf8');

/** The committed run decides which promises of speed are kept; a worse run turns these red, and an honest word in `unproven.md` is due. */
describe('The committed benchmark run', () => {
  it('is the one that the report shows', () => {
    expect(existsSync(join(folder, 'RESULTS.md'))).toBe(true);
    for (const { id } of results.measures) expect(report).toContain(`## ${id} `);
  });
});
