import { execFile } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withClient, type Connection } from '../cluster.ts';
import type { Load } from '../writers.ts';

const execute = promisify(execFile);
const DEBIAN = '/usr/lib/postgresql';

/** PostgreSQL's own load generator, if the machine has it. */
export const pgbenchProgram = (): string | undefined => {
  const folders = (process.env['PATH'] ?? '').split(':');
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort().reverse() : [];
  return [...versions.map((version) => `${DEBIAN}/${version}/bin/pgbench`), ...folders.map((folder) => join(folder, 'pgbench'))].find(
    existsSync,
  );
};

/** One prepared insert of one row, one transaction, with as many clients as there are writers. */
export const pgbench = async (program: string, connection: Connection, rowBytes: number, folder: string) => {
  await withClient(connection, (client) => client.query('CREATE TABLE bench_row (id bigserial PRIMARY KEY, payload text NOT NULL)'));
  const script = join(folder, 'insert.sql');
  writeFileSync(script, 'INSERT INTO bench_row (payload) VALUES (:payload);\n');
  const payload = 'x'.repeat(rowBytes);
  const run = async (clients: number, ms: number) => {
    const { host, port, user, database } = connection;
    // Whole seconds are all that pgbench knows.
    const seconds = Math.max(1, Math.round(ms / 1000));
    const { stdout } = await execute(program, [
      ...['--no-vacuum', '--protocol', 'prepared', '--client', String(clients), '--jobs', '2', '--time', String(seconds)],
      ...['--file', script, '--define', `payload=${payload}`, '--host', host, '--port', String(port), '--username', user, database],
    ]);
    return parsePgbench(stdout);
  };
  return {
    load: async ({ writers, warmupMs, roundMs }: Load) => {
      if (warmupMs > 0) await run(writers, warmupMs);
      return run(writers, roundMs);
    },
  };
};

export const parsePgbench = (output: string): { readonly perSecond: number; readonly averageMs: number } => {
  const perSecond = /^tps = ([\d.]+)/m.exec(output)?.[1];
  const average = /^latency average = ([\d.]+) ms/m.exec(output)?.[1];
  if (perSecond === undefined || average === undefined) throw new Error(`pgbench said something else than a rate:\n${output}`);
  return { perSecond: Number(perSecond), averageMs: Number(average) };
};
