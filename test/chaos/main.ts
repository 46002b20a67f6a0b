import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machine } from './machine-facts';
import { reportOf, violationsOf } from './report';
import { soak } from './soak';

const FOLDER = import.meta.dirname;
const number = (args: readonly string[], name: string, otherwise: number): number => {
  const given = args.find((each) => each.startsWith(`--${name}=`));
  const value = given === undefined ? otherwise : Number(given.slice(name.length + 3));
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} needs a whole number above 0`);
  return value;
};

/** `npm run chaos -- --rounds=200 --seconds=3600 --seed=1 --clients=8`; writes the report beside this file. */
export const main = async (args: readonly string[]): Promise<void> => {
  const options = { rounds: number(args, 'rounds', 200), seconds: number(args, 'seconds', 3_600), seed: number(args, 'seed', 1), clients: number(args, 'clients', 8) };
  const result = await soak({ ...options, onRound: (nr, line) => void process.stdout.write(`${nr + 1}/${options.rounds} ${line}\n`) });
  const run = { at: new Date().toISOString(), machine: machine(), soak: result };
  writeFileSync(join(FOLDER, 'results/latest.json'), `${JSON.stringify(run, null, 2)}\n`);
  writeFileSync(join(FOLDER, 'REPORT.md'), reportOf(run));
  process.stdout.write(`${violationsOf(result)} violations; see test/chaos/REPORT.md\n`);
  process.exitCode = violationsOf(result) === 0 ? 0 : 1;
};
