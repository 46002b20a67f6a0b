import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Results } from './results';

const folder = import.meta.dirname;
const results = JSON.parse(readFileSync(join(folder, 'results/latest.json'), 'utf8')) as Results;
const report = readFileSync(join(folder, 'RESULTS.md'), 'utf8');
/** A run of its own: the measures of the door, beside DBOS, LangGraph and Restate. */
const door = JSON.parse(readFileSync(join(folder, 'results/door.json'), 'utf8')) as Results;
const doorReport = readFileSync(join(folder, 'DOOR.md'), 'utf8');
/** A third one: the relay, and what a log of ten million events changes. */
const growth = JSON.parse(readFileSync(join(folder, 'results/growth.json'), 'utf8')) as Results;
const growthReport = readFileSync(join(folder, 'GROWTH.md'), 'utf8');
const keptIn = ({ measures }: Results, id: string) => measures.find((measure) => measure.id === id)!.claims.flatMap(({ text, met }) => (met === undefined ? [] : [[text, met]]));
const keptAtDoor = (id: string) => door.measures.find((measure) => measure.id === id)!.claims.flatMap(({ met }) => (met === undefined ? [] : [met]));
const measured = (id: string) => results.measures.find((measure) => measure.id === id)!;
const kept = (id: string) => keptIn(results, id);

/** The committed run decides which promises of speed are kept: a worse run turns these red, and a word in `unproven.md` is due. */
describe('The committed benchmark run', () => {
  it('was a full one, on the measures that the report shows', () => {
    expect(results.quick).toBe(false);
    for (const { id, missing } of results.measures) {
      expect(report).toContain(`## ${id} `);
      expect(missing).toEqual([]);
    }
  });

  it('[PERF-010] shows an append in the read model within 10 ms at p50 and 50 ms at p99', () => {
    expect(kept('P10')).toEqual([['P10 p50', true], ['P10 p99', true]]);
  });

  it('[PERF-020] appends beside Emmett, message-db and Castore, in turn', () => {
    const { turns, series } = measured('P1, P2');
    const round = ['Agent Harness', 'Emmett 0.42.0', 'message-db 1.3.1, one category', 'message-db 1.3.1, 64 categories', 'Castore 2.4.2', 'pgbench'];
    expect(series.map(({ name }) => name)).toEqual(round);
    expect(turns.length % round.length).toBe(0);
    turns.forEach((turn, n) => expect(turn).toBe(round[n % round.length]));
  });
});

describe('The committed run of the measures of the door', () => {
  it('was with all peers, and the report shows it', () => {
    expect(door.quick).toBe(false);
    for (const { id, missing } of door.measures) {
      expect(doorReport).toContain(`## ${id} `);
      expect(missing).toEqual([]);
    }
  });

  it('[PERF-007] decides with 100 policies and 200 grants within 50 µs', () => {
    expect(keptAtDoor('P7')).toEqual([true]);
  });

  it('[PERF-013] backtests at half the rate of a rebuild or faster', () => {
    expect(keptAtDoor('P13')).toEqual([true]);
  });

  it('[PERF-015] answers a call after 5 000 others within 1.3 times the latency of a fresh run', () => {
    expect(keptAtDoor('P15')).toEqual([true]);
  });
});

describe('The committed run on a long log', () => {
  it('was a full one on ten million events, and the report shows it', () => {
    expect([growth.quick, growth.options['grownEvents']]).toEqual([false, 10_000_000]);
    for (const { id, missing } of growth.measures) {
      expect(growthReport).toContain(`## ${id} `);
      expect(missing).toEqual([]);
    }
  });

  it('[PERF-011] shows an append at a NATS subscriber within 10 ms at p50 and 50 ms at p99', () => {
    expect(keptIn(growth, 'P11')).toEqual([['P11 p50', true], ['P11 p99', true]]);
  });

  it('[PERF-014] appends and calls on ten million events at nine tenths of the rate on ten thousand, or faster', () => {
    expect(['P14, appends', 'P14, calls'].flatMap((id) => keptIn(growth, id).map(([, met]) => met))).toEqual([true, true]);
  });

  it('[PERF-017] starts on ten million events, so on a million as well, within three seconds', () => {
    expect(keptIn(growth, 'P17').map(([, met]) => met)).toEqual([true]);
  });
});
