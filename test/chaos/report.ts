import type { Stepped } from './crash-steps';
import type { Machine } from './machine-facts';
import type { Scale } from './scale';
import type { SoakResult } from './soak';

type Stamp = { readonly at: string; readonly machine: Machine };
/** What is on record: each part as it was last run. */
export type ChaosRun = { soak?: SoakResult & Stamp; steps?: { readonly all: readonly Stepped[] } & Stamp; scale?: Scale & Stamp };

const wrong = ({ found, expected }: Stepped) => found.status !== expected.status || found.call !== expected.call || found.received !== expected.received;

export const violationsOf = ({ soak, steps }: ChaosRun): number =>
  (soak?.checks ?? []).reduce((sum, { violations }) => sum + violations.length, 0) + (steps?.all ?? []).filter(wrong).length;
export const faultsOf = ({ faults }: SoakResult): number => Object.values(faults).reduce((sum, count) => sum + count, 0);

const table = (rows: readonly (readonly unknown[])[]) => rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
const where = ({ at, machine }: Stamp) => `${at} on ${machine.cores} cores (${machine.processor}), ${machine.memoryGb} GB, Node ${machine.node}; load of the machine at its end ${machine.load}.`;
const mb = (bytes: number) => (bytes / 2 ** 20).toFixed(1);

const soakOf = (soak: SoakResult & Stamp) => `## Rounds of faults under load
${soak.rounds} rounds in ${soak.seconds} s, seed ${soak.seed}: ${where(soak)}

**${violationsOf({ soak })} violations** in ${soak.events} events and ${soak.calls} tool calls, with ${faultsOf(soak)} faults. Two gateways, two workers, their PostgreSQL
(durable settings) and a NATS server, all under load from agents and people. Every round kills at least one of them.

| fault | times |
|---|---|
${table(Object.entries(soak.faults))}

Of the pauses, ${soak.longPauses} were longer than a heartbeat is believed. ${soak.stopsThatEndedWell} processes that were told to stop ended with 0.

| load | count |
|---|---|
${table([
  ['requests answered', soak.requests], ['requests sent again', soak.repeats], ['acknowledged writes', soak.acknowledged], ['events', soak.events], ['authorisations', soak.authorisations],
  ['calls', soak.calls], ['calls left in doubt', soak.indeterminate], ['requests at the outside server', soak.received],
  ...Object.entries(soak.answers).map(([status, count]) => [`answers ${status}`, count]), ...Object.entries(soak.queuedRuns).map(([status, count]) => [`queued runs ${status}`, count]),
  ['read models compared', soak.readModels], ['rows compared', soak.rows],
])}

| check | violations |
|---|---|
${table(soak.checks.map(({ name, violations }) => [name, violations.length]))}
${soak.checks.flatMap(({ violations }) => violations.slice(0, 10).map((each) => `\n- ${each}`)).join('')}
`;

const stepsOf = (steps: NonNullable<ChaosRun['steps']>) => `## A crash between every pair of steps of a queued call
${where(steps)} \`send\` must not run twice, \`put\` may.

| killed between | process | tool | run | call | received | as it must be |
|---|---|---|---|---|---|---|
${table(steps.all.map((each) => [each.step.replace('|', 'and'), each.killed, each.tool, each.found.status, each.found.call ?? '', each.found.received, wrong(each) ? '**no**' : 'yes']))}
`;

const scaleOf = (scale: Scale & Stamp) => `## Memory
${where(scale)} Resident memory of the one server process (both roles) in MB, at rest after each step, after a garbage collection.

| after | resident MB | heap MB |
|---|---|---|
${table(scale.samples.map(({ after, residentBytes, heapBytes }) => [after, mb(residentBytes), mb(heapBytes)]))}
`;

/** Markdown, made by the run and never by hand. */
export const reportOf = (run: ChaosRun): string =>
  ['# Chaos\n\nWritten by `npm run chaos`.\n', run.soak && soakOf(run.soak), run.steps && stepsOf(run.steps), run.scale && scaleOf(run.scale)].filter(Boolean).join('\n');
