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
});
