import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crashAtAll } from './crash-steps';
import { startDatabase } from './database';
import { machine } from './machine-facts';
import { reportOf, violationsOf, type ChaosRun } from './report';
import { measureScale } from './scale';
import { soak } from './soak';

const FOLDER = import.meta.dirname;
const RESULTS = join(FOLDER, 'results/latest.json');
const PARTS = ['soak', 'steps', 'scale'] as const;

const given = (args: readonly string[], name: string): string | undefined => args.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3);
const number = (args: readonly string[], name: string, otherwise: number): number => {
  const value = Number(given(args, name) ?? otherwise);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} needs a whole number above 0`);
  return value;
};
const say = (line: string) => void process.stdout.write(`${line}\n`);

const steps = async () => {
  const server = await startDatabase();
  try {
    return await crashAtAll(async () => {
      const database = `steps_${randomBytes(6).toString('hex')}`;
      await server.pool.query(`CREATE DATABASE ${database}`);
      return { ...server.connection, database, drop: async () => void (await server.pool.query(`DROP DATABASE ${database} WITH (FORCE)`)) };
    }, 3);
  } finally {
    await server.close();
  }
};

/**
 * `npm run chaos -- --part=soak,steps,scale --rounds=200 --seconds=3600 --seed=1 --clients=8 --events=1000000`. Each part that is run takes the
 * place of what is on record of it, and the report is written anew.
 */
export const main = async (args: readonly string[]): Promise<void> => {
  const parts = (given(args, 'part') ?? PARTS.join(',')).split(',');
  const rounds = number(args, 'rounds', 200);
  const run: ChaosRun = existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as ChaosRun) : {};
  const stamp = () => ({ at: new Date().toISOString(), machine: machine() });
  if (parts.includes('soak')) {
    const options = { rounds, seconds: number(args, 'seconds', 3_600), seed: number(args, 'seed', 1), clients: number(args, 'clients', 8) };
    run.soak = { ...(await soak({ ...options, onRound: (nr, line) => say(`${nr + 1}/${rounds} ${line}`) })), ...stamp() };
  }
  if (parts.includes('steps')) run.steps = { all: await steps(), ...stamp() };
  if (parts.includes('scale')) run.scale = { ...(await measureScale({ calls: 10_000, approvals: 10_000, clients: 1_000, events: number(args, 'events', 1_000_000), say })), ...stamp() };
  writeFileSync(RESULTS, `${JSON.stringify(run, null, 2)}\n`);
  writeFileSync(join(FOLDER, 'REPORT.md'), reportOf(run));
  say(`${violationsOf(run)} violations; see test/chaos/REPORT.md`);
  process.exitCode = violationsOf(run) === 0 ? 0 : 1;
};
