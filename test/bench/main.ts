import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { startCluster } from './cluster.ts';
import { machineFacts } from './machine.ts';
import { measureApprovals } from './measures/approvals.ts';
import { measureAppend, measureLatency } from './measures/append.ts';
import { startWriters } from './measures/contestants.ts';
import { measureDecision } from './measures/decision.ts';
import { measureDoor } from './measures/door.ts';
import { measureGrowth } from './measures/growth.ts';
import { measureLog } from './measures/log.ts';
import { measureRelay } from './measures/relay.ts';
import { readOptions, type BenchOptions } from './options.ts';
import { peersFor } from './peers.ts';
import { claimsTable, markdown } from './report.ts';
import type { Measure, Results } from './results.ts';

/** Runs what the arguments choose, prints the promises and writes the report. */
export const main = async (argv: readonly string[]): Promise<void> => {
  const options = readOptions(argv);
  const progress = (line: string) => void process.stderr.write(`${line}\n`);
  const peers = await peersFor(options.peers);
  mkdirSync(options.dataDir, { recursive: true });
  const machine = machineFacts(options.dataDir);
  const cluster = await startCluster(options.dist, options.dataDir);
  try {
    const measures = await measure({ options, cluster, peers, folder: options.dataDir, progress });
    const { only, dist: _dist, out, dataDir: _dataDir, peers: _peers, profile: _profile, quick, ...numbers } = options;
    const results: Results = {
      format: 1,
      date: new Date().toISOString(),
      quick,
      machine,
      measures,
      options: { ...numbers, measures: only.join(' '), ...cluster.settings },
      versions: { node: process.versions.node, postgresql: cluster.version, ...(peers.ok && peers.versions) },
    };
    write(results, out);
    process.stdout.write(`${claimsTable(results)}\n`);
  } finally {
    await cluster.stop();
  }
};

const measure = async (bench: Bench): Promise<readonly Measure[]> => [
  ...(await measureWriters(bench)),
  ...(await measureDoor(bench)),
  ...(await measureApprovals(bench)),
  ...(await measureDecision(bench)),
  ...(await measureLog(bench)),
  ...(await measureRelay(bench)),
  ...(await measureGrowth(bench)),
];

const measureWriters = async (bench: Bench): Promise<readonly Measure[]> => {
  const { only } = bench.options;
  if (!only.includes('append') && !only.includes('latency')) return [];
  const writers = await startWriters(bench);
  try {
    const measures: Measure[] = [];
    if (only.includes('append')) measures.push(await measureAppend(bench, writers));
    if (only.includes('latency')) measures.push(await measureLatency(bench, writers));
    return measures;
  } finally {
    await writers.close();
  }
};

const write = (results: Results, out: BenchOptions['out']) => {
  mkdirSync(join(out, 'results'), { recursive: true });
  writeFileSync(join(out, 'results/latest.json'), `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(join(out, 'RESULTS.md'), markdown(results));
};
