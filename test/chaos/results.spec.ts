import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultsOf, violationsOf, type ChaosRun } from './report';

const folder = import.meta.dirname;
const run = JSON.parse(readFileSync(join(folder, 'results/latest.json'), 'utf8')) as ChaosRun;
const report = readFileSync(join(folder, 'REPORT.md'), 'utf8');

/** The committed run decides which promises are kept: a worse one turns these red, and a word in `unproven.md` is due. */
describe('The committed chaos run', () => {
  const soak = run.soak!;
  const violationsIn = (part: string) => soak.checks.find(({ name }) => name.includes(part))!.violations;

  it('[RELI-001] killed gateway, worker and PostgreSQL under load in at least 200 rounds, and every acknowledged event is in the log once, versions are dense, the chain verifies', () => {
    const { faults, rounds } = soak;
    expect(rounds).toBeGreaterThanOrEqual(200);
    expect(faults['kill gateway'] + faults['kill worker'] + faults['kill database']).toBeGreaterThanOrEqual(rounds);
    for (const kill of ['kill gateway', 'kill worker', 'kill database'] as const) expect([kill, faults[kill] > 20]).toEqual([kill, true]);
    expect(soak.acknowledged).toBeGreaterThanOrEqual(rounds * 5);
    expect([...violationsIn('after every round'), ...violationsIn('whole chain')]).toEqual([]);
  });

  it('[RELI-004] found no difference between read models and log', () => {
    expect(soak.readModels).toBeGreaterThan(10);
    expect(violationsIn('Read models')).toEqual([]);
  });

  it('[RELI-014] is reported with rounds, faults, events and calls, and 0 violations', () => {
    expect(violationsOf(run)).toBe(0);
    expect(report).toContain(`${soak.rounds} rounds in ${soak.seconds} s`);
    expect(report).toContain(`**0 violations** in ${soak.events} events and ${soak.calls} tool calls, with ${faultsOf(soak)} faults.`);
    for (const [fault, count] of Object.entries(soak.faults)) expect(report).toContain(`| ${fault} | ${count} |`);
  });

  const mib = (bytes: number) => bytes / 2 ** 20;
  const scale = run.scale!;

  it('[RUN-061] carried a run of 10 000 calls to its end, holding at most a tenth more after the last call than after the first thousand, and reports both figures', () => {
    const [first, last] = [scale.ofRun[0]!, scale.ofRun.at(-1)!];
    expect([scale.runStatus, first.calls, last.calls]).toEqual(['succeeded', 1_000, 10_000]);
    expect(last.heapBytes).toBeLessThan(1.1 * first.heapBytes);
    expect(last.residentBytes).toBeLessThan(1.1 * first.residentBytes);
    for (const { calls, residentBytes } of [first, last]) expect(report).toMatch(new RegExp(`${calls} calls of one run.*${mib(residentBytes).toFixed(1).replace('.', '\\.')}`));
  });

  it('[RELI-006] held a steady memory figure with 10 000 pending approvals, 1 000 SSE clients and a log of 1 000 000 events', () => {
    expect([scale.pending, scale.clients, scale.events >= 1_000_000]).toEqual([10_000, 1_000, true]);
    expect(scale.heard).toBe(scale.clients * 400);
    const after = (part: string) => scale.samples.filter((sample) => sample.after.includes(part));
    const [connected, grown] = [after('SSE clients').filter((sample) => !sample.after.includes('left')), after('000 events')];
    expect([connected.length, grown.length]).toEqual([3, 4]);
    for (const samples of [connected, grown]) {
      const resident = samples.map(({ residentBytes }) => mib(residentBytes));
      expect(Math.max(...resident) - Math.min(...resident)).toBeLessThan(0.05 * Math.min(...resident));
    }
    expect(mib(Math.max(...scale.samples.map(({ residentBytes }) => residentBytes)))).toBeLessThan(300);
  });
});
