import type { Machine } from './machine-facts';
import type { SoakResult } from './soak';

export type ChaosRun = { readonly at: string; readonly machine: Machine; readonly soak: SoakResult };

export const violationsOf = ({ checks }: SoakResult): number => checks.reduce((sum, { violations }) => sum + violations.length, 0);
export const faultsOf = ({ faults }: SoakResult): number => Object.values(faults).reduce((sum, count) => sum + count, 0);

const table = (rows: readonly (readonly unknown[])[]) => rows.map((row) => `| ${row.join(' | ')} |`).join('\n');

/** Markdown, made by the run and never by hand. */
export const reportOf = ({ at, machine, soak }: ChaosRun): string => `# Chaos

Written by \`npm run chaos\` at ${at}: ${soak.rounds} rounds in ${soak.seconds} s, seed ${soak.seed}, on ${machine.cores} cores (${machine.processor}), ${machine.memoryGb} GB, Node ${machine.node}; load of the machine at the end ${machine.load}.

**${violationsOf(soak)} violations** in ${soak.events} events and ${soak.calls} tool calls, with ${faultsOf(soak)} faults.

## Faults
Two gateways, a worker and their PostgreSQL (durable settings), all under load from agents and people. Every round kills at least one of them.

| fault | times |
|---|---|
${table(Object.entries(soak.faults))}

Of the pauses, ${soak.longPauses} were longer than a heartbeat is believed. ${soak.stopsThatEndedWell} processes that were told to stop ended with 0.

## Load
| what | count |
|---|---|
${table([
  ['requests answered', soak.requests], ['requests sent again', soak.repeats], ['acknowledged writes', soak.acknowledged], ['events', soak.events], ['authorisations', soak.authorisations],
  ['calls', soak.calls], ['calls left in doubt', soak.indeterminate], ['requests at the outside server', soak.received],
  ...Object.entries(soak.answers).map(([status, count]) => [`answers ${status}`, count]), ...Object.entries(soak.queuedRuns).map(([status, count]) => [`queued runs ${status}`, count]),
  ['read models compared', soak.readModels], ['rows compared', soak.rows],
])}

## Checks
| check | violations |
|---|---|
${table(soak.checks.map(({ name, violations }) => [name, violations.length]))}
${soak.checks.flatMap(({ violations }) => violations.slice(0, 10).map((each) => `\n- ${each}`)).join('')}
`;
