import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compileProduct } from './compiled-product.ts';
import { markdown } from './report.ts';
import type { Measure, Results, Series } from './results.ts';
import { median } from './statistics.ts';

const SHORT = ['--round-ms', '200', '--warmup-ms', '50', '--events', '2000', '--grown-events', '4000'];
/** Those that need no server process; with all of them a short run takes three minutes: `npm run bench -- --quick`. */
const ONLY = ['p1', 'p3', 'p7', 'p9', 'p10', 'p12', 'p13'];
const IDS = ['P1, P2', 'P3', 'P7', 'P9', 'P10', 'P12', 'P13'];

describe('A run of the benchmark', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-spec-'));
  const out = join(folder, 'out');
  let results: Results;
  let printed: string;

  beforeAll(async () => {
    compileProduct(join(folder, 'dist'));
    const run = [
      join(import.meta.dirname, 'run.mjs'),
      '--quick',
      '--only',
      ONLY.join(','),
      '--peers',
      'installed',
      ...SHORT,
      '--dist',
      join(folder, 'dist'),
      '--out',
      out,
      '--data-dir',
      join(folder, 'data'),
    ];
    printed = (await promisify(execFile)(process.execPath, run, { env: { PATH: process.env['PATH'] } })).stdout;
    results = JSON.parse(readFileSync(join(out, 'results/latest.json'), 'utf8')) as Results;
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('takes the measures that it was told to, A B A B, and says what it could not compare', () => {
    expect(results.measures.map(({ id }) => id)).toEqual(IDS);
    for (const { series, turns, missing, claims } of results.measures) {
      const names = [...new Set(turns)];
      expect(turns).toEqual([...names, ...names]);
      for (const { rounds } of series) expect(rounds).toHaveLength(2);
      expect(missing.length + claims.length).toBeGreaterThan(0);
    }
  });

  it('gives median and spread of positive figures, and ratios that are the quotients of medians', () => {
    for (const { series, claims } of results.measures) {
      for (const each of series)
        expect(each).toMatchObject({ median: median(each.rounds), min: Math.min(...each.rounds), max: Math.max(...each.rounds) });
      for (const { min } of series) expect(min).toBeGreaterThan(0);
      // What one side takes longer than the other may be less than nothing in so short a round.
      for (const { value, min, max } of claims) expect([value, min, max].every(Number.isFinite)).toBe(true);
    }
    const [rebuild, copy] = seriesOf('P9');
    expect(claimOf('P9 rebuild ÷ COPY of the same rows').value).toBeCloseTo(rebuild.median / copy.median, 10);
    const [verification, hash] = seriesOf('P12');
    expect(claimOf('P12 verification ÷ sha256 of the same bytes').value).toBeCloseTo(verification.median / hash.median, 10);
  });

  it('writes machine, versions and settings, the table and the promises', () => {
    expect(results).toMatchObject({ format: 1, quick: true, options: { fsync: 'on', synchronous_commit: 'on', rounds: 2 } });
    expect(Object.keys(results.machine)).toEqual(['cpu', 'cores', 'memoryGiB', 'system', 'fileSystem', 'fdatasyncMs']);
    expect(results.versions).toMatchObject({ node: process.versions.node });
    expect(readFileSync(join(out, 'RESULTS.md'), 'utf8')).toBe(markdown(results));
    expect(printed).toContain('| P9 rebuild ÷ COPY of the same rows |');
  });

  const measure = (id: string): Measure => results.measures.find((each) => each.id === id)!;
  const seriesOf = (id: string) => measure(id).series as readonly [Series, Series];
  const claimOf = (text: string) => results.measures.flatMap(({ claims }) => claims).find((each) => each.text === text)!;
});
