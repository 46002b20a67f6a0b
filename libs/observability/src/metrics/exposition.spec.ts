import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { ensureProgram, PROMTOOL } from '../../../../test/debian-program';
import { exposition } from './exposition';
import type { Family } from './family';

const counter: Family = { name: 'calls_total', type: 'counter', help: 'Calls.', labels: ['tool'] };
const histogram: Family = { name: 'latency_seconds', type: 'histogram', help: 'Time.', labels: ['tool'], buckets: [0.5, 2] };

describe('The text format', () => {
  it('escapes what a label may hold', () => {
    const text = exposition({ ...counter, help: 'One \\ two\nthree' }, [{ values: ['a "quoted"\nname \\'], part: '', value: 3 }]);
    expect(text).toBe('# HELP calls_total One \\\\ two\\nthree\n# TYPE calls_total counter\ncalls_total{tool="a \\"quoted\\"\\nname \\\\"} 3\n');
  });

  it('shows a histogram with all of its buckets, each including the lower ones', () => {
    const samples = [['0.5', 2], ['+Inf', 1], ['sum', 11.5]].map(([part, value]) => ({ values: ['x'], part: part as string, value: value as number }));
    expect(exposition(histogram, samples).split('\n').slice(2, -1)).toEqual([
      'latency_seconds_bucket{tool="x",le="0.5"} 2', 'latency_seconds_bucket{tool="x",le="2"} 2', 'latency_seconds_bucket{tool="x",le="+Inf"} 3',
      'latency_seconds_sum{tool="x"} 11.5', 'latency_seconds_count{tool="x"} 3',
    ]);
  });

  it('shows a counter without labels from the start, and nothing of one with labels', () => {
    expect(exposition({ ...counter, labels: [] }, [])).toContain('\ncalls_total 0\n');
    expect(exposition(counter, [])).toBe('# HELP calls_total Calls.\n# TYPE calls_total counter\n');
    expect(exposition({ ...counter, type: 'gauge', labels: [] }, [])).not.toMatch(/^calls_total/m);
  });

  it('is accepted by promtool', async () => {
    await ensureProgram(PROMTOOL);
    const samples = [{ values: ['\u00e9 "x"\n'], part: '0.5', value: 1 }];
    const text = exposition(counter, samples) + exposition(histogram, samples);
    expect(execFileSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8', stdio: 'pipe' })).toBe('');
  });
});
