import { describe, expect, it } from '@jest/globals';
import { interleaved } from './interleaved.ts';
import { parsePgbench } from './contestants/pgbench.ts';
import { readOptions } from './options.ts';
import { figure, markdown } from './report.ts';
import { claim, type Results } from './results.ts';
import { median, percentile, ratioOf, spreadOf } from './statistics.ts';

describe('The arithmetic of the benchmark', () => {
  it('takes the middle value, or the mean of the two in the middle', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(() => median([])).toThrow('Nothing has no median');
  });

  it('takes percentiles from the values themselves', () => {
    const hundred = Array.from({ length: 100 }, (_, n) => n + 1);
    expect([0.5, 0.99, 1].map((q) => percentile(hundred, q))).toEqual([50, 99, 100]);
    expect(percentile([7], 0.99)).toBe(7);
    expect(percentile([], 0.5)).toBeNaN();
  });

  it('divides medians, and shows the least and the greatest ratio of two neighbouring rounds', () => {
    expect(ratioOf([10, 40, 30], [5, 10, 10])).toEqual({ value: 3, min: 2, max: 4 });
    expect(() => ratioOf([1], [1, 2])).toThrow('the same number of rounds');
    expect(spreadOf([5, 1, 3])).toEqual({ median: 3, min: 1, max: 5 });
  });

  it('judges a promise by the median, not by the best round', () => {
    expect(claim('rate', '×', { value: 7.9, min: 6, max: 9 }, { atLeast: 8 }).met).toBe(false);
    expect(claim('rate', '×', { value: 8, min: 6, max: 9 }, { atLeast: 8 }).met).toBe(true);
    expect(claim('time', '×', { value: 0.7, min: 0.6, max: 0.9 }, { atMost: 0.7 }).met).toBe(true);
    expect(claim('time', '×', { value: 0.71, min: 0.6, max: 0.9 }, { atMost: 0.7 }).met).toBe(false);
    expect(claim('of interest', '×', { value: 1, min: 1, max: 1 })).not.toHaveProperty('met');
  });

  it('lets the contestants take turns, and prepares each turn outside of what is measured', async () => {
    const seen: string[] = [];
    const contestant = (name: string) => ({ name, round: () => Promise.resolve(seen.push(name)) });
    const { rounds, turns } = await interleaved([contestant('A'), contestant('B')], 2, () => Promise.resolve(void seen.push('-')));
    expect(seen).toEqual(['-', 'A', 'B', '-', 'A', 'B']);
    expect(turns).toEqual(['A', 'B', 'A', 'B']);
    expect(rounds).toEqual(
      new Map([
        ['A', [2, 5]],
        ['B', [3, 6]],
      ]),
    );
  });

  it('reads what pgbench prints', () => {
    const output =
      'number of failed transactions: 0 (0.000%)\nlatency average = 6.118 ms\ninitial connection time = 92.145 ms\ntps = 10460.911392 (without initial connection time)\n';
    expect(parsePgbench(output)).toEqual({ perSecond: 10460.911392, averageMs: 6.118 });
    expect(() => parsePgbench('pgbench: error: connection failed')).toThrow('pgbench said something else than a rate');
  });
});

describe('The report', () => {
  it('gives figures no more digits than they are worth', () => {
    expect([43_210.9, 812.3, 12.34, 0.456, Number.NaN].map(figure)).toEqual(['43 211', '812', '12.3', '0.46', '–']);
  });

  it('names target and verdict, says what is missing, and marks a quick run as one', () => {
    const results: Results = {
      format: 1,
      date: '2026-11-30T10:00:00.000Z',
      quick: true,
      options: { rounds: 2 },
      machine: { cores: 2 },
      versions: { node: '24.21.0' },
      measures: [
        {
          id: 'P1',
          title: 'Append',
          turns: [],
          series: [{ name: 'ours', unit: 'events/s', rounds: [1, 2], median: 1.5, min: 1, max: 2, details: { p50: 1.25 } }],
          claims: [claim('P1 ours ÷ theirs', '×', { value: 7.5, min: 7, max: 8 }, { atLeast: 8 })],
          notes: ['How.'],
          missing: ['Nobody else was there.'],
        },
      ],
    };
    const text = markdown(results);
    expect(text).toContain('| P1 ours ÷ theirs | 7.50 × | 7.00 … 8.00 | ≥ 8.00 × | NO |');
    expect(text).toContain('| ours | 1.50 events/s | 1.00 … 2.00 | 1.25 |');
    expect(text).toContain('- Missing: Nobody else was there.');
    expect(text).toContain('This was a quick run');
  });
});

describe('The arguments', () => {
  it('choose measures by their promise, too', () => {
    expect(readOptions(['--only', 'p5,P6,rebuild']).only).toEqual(['approvals', 'approval-latency', 'rebuild']);
  });

  it('refuses a measure or a number that it does not know, in a sentence', () => {
    expect(() => readOptions(['--only', 'append,latence'])).toThrow(
      '--only takes append, latency, calls, approvals, approval-latency, decision, overhead, rebuild, visibility, relay, verification, backtest, growth, long-run, start; not "latence"',
    );
    expect(() => readOptions(['--rounds', '0'])).toThrow('--rounds takes a whole number from 1 on, not "0"');
    expect(readOptions(['--quick', '--peers', 'none', '--events', '2000'])).toMatchObject({
      quick: true,
      peers: 'none',
      events: 2000,
      rounds: 2,
    });
  });
});
