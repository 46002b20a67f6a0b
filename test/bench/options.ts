import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** Each measure and the promise that it measures; either name chooses it. */
export const PROMISES = {
  append: ['p1', 'p2'],
  latency: ['p3'],
  calls: ['p4'],
  approvals: ['p5'],
  'approval-latency': ['p6'],
  decision: ['p7'],
  overhead: ['p8'],
  rebuild: ['p9'],
  visibility: ['p10'],
  relay: ['p11'],
  verification: ['p12'],
  backtest: ['p13'],
  growth: ['p14'],
  'long-run': ['p15'],
  start: ['p17'],
} as const;
export type MeasureName = keyof typeof PROMISES;
export const MEASURES = Object.keys(PROMISES) as readonly MeasureName[];

/** `installed`: only if they are there already. */
export const PEERS_OPTIONS = ['install', 'installed', 'none'] as const;
export type PeersOption = (typeof PEERS_OPTIONS)[number];

export type BenchOptions = {
  /** A short run shows that everything works; its figures prove nothing. */
  readonly quick: boolean;
  readonly only: readonly MeasureName[];
  readonly rounds: number;
  /** Measured part of one round of a load, and the unmeasured part before it. */
  readonly roundMs: number;
  readonly warmupMs: number;
  /** Size of the log that is rebuilt, followed and verified; whole rounds of these are fewer, since each takes many seconds. */
  readonly events: number;
  readonly logRounds: number;
  /** Size of the log of real runs on which growth and the start are measured; the backtest runs when it has a fifth of that. */
  readonly grownEvents: number;
  /** The built product. */
  readonly dist: string;
  /** Where RESULTS.md and results/latest.json go. */
  readonly out: string;
  /** Data directory of PostgreSQL; it must be on a disk, since a commit on a memory file system costs nothing. */
  readonly dataDir: string;
  readonly peers: PeersOption;
  /** Folder for CPU profiles of our own processes. */
  readonly profile: string | undefined;
};

const FULL = { rounds: 5, roundMs: 2_000, warmupMs: 750, events: 1_000_000, logRounds: 3, grownEvents: 1_000_000 };
const QUICK = { rounds: 2, roundMs: 500, warmupMs: 250, events: 20_000, logRounds: 2, grownEvents: 20_000 };

const here = import.meta.dirname;

/** Throws a sentence about the first argument that it does not understand. */
export const readOptions = (argv: readonly string[]): BenchOptions => {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...argv],
    options: {
      quick: { type: 'boolean', default: false },
      peers: text,
      only: text,
      rounds: text,
      'round-ms': text,
      'warmup-ms': text,
      events: text,
      'log-rounds': text,
      'grown-events': text,
      dist: text,
      out: text,
      'data-dir': text,
      profile: text,
    },
  });
  const base = values.quick ? QUICK : FULL;
  return {
    quick: values.quick,
    only: values.only === undefined ? MEASURES : values.only.split(',').map(measureOf),
    rounds: numberOf('rounds', values.rounds, base.rounds),
    roundMs: numberOf('round-ms', values['round-ms'], base.roundMs),
    warmupMs: numberOf('warmup-ms', values['warmup-ms'], base.warmupMs),
    events: numberOf('events', values.events, base.events),
    logRounds: numberOf('log-rounds', values['log-rounds'], base.logRounds),
    grownEvents: numberOf('grown-events', values['grown-events'], base.grownEvents),
    dist: values.dist ?? join(here, '../../dist'),
    out: values.out ?? here,
    dataDir: values['data-dir'] ?? join(tmpdir(), `harness-bench-${process.pid}`),
    peers: oneOf('peers', values.peers ?? 'install', PEERS_OPTIONS),
    profile: values.profile,
  };
};

const measureOf = (text: string): MeasureName => {
  const promised = MEASURES.find((name) => (PROMISES[name] as readonly string[]).includes(text.toLowerCase()));
  return promised ?? oneOf('only', text, MEASURES);
};

const oneOf = <T extends string>(option: string, text: string, known: readonly T[]): T => {
  const found = known.find((each) => each === text);
  if (found === undefined) throw new Error(`--${option} takes ${known.join(', ')}; not "${text}"`);
  return found;
};

const numberOf = (name: string, text: string | undefined, otherwise: number): number => {
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`--${name} takes a whole number from 1 on, not "${text}"`);
  return Number(text);
};
