import type { Client } from 'pg';
import type { Bench } from '../bench.ts';
import { withClient } from '../cluster.ts';
import { interleaved } from '../interleaved.ts';
import { claim, type Measure } from '../results.ts';
import { ratioOf, spreadOf } from '../statistics.ts';
import type { Round } from './contestants.ts';
import type { SeededLog } from './log.ts';
import { seriesOf } from './series.ts';

const OURS = 'Rebuild of all read models';
const COPY = 'COPY of their rows';

/** P9. */
export const measureRebuild = async (bench: Bench, { connection, events, readModels, tables }: SeededLog): Promise<Measure> => {
  const { cluster, options, progress } = bench;
  const contestants = [
    { name: OURS, round: () => readModels.call<Round>('rebuild') },
    { name: COPY, round: () => withClient(connection, (client) => copyRound(client, tables, events)) },
  ].map(({ name, round }) => ({
    name,
    round: async () => {
      const result = await round();
      progress(`${name}: ${Math.round(result.perSecond)} events/s`);
      return result;
    },
  }));
  const { rounds, turns } = await interleaved(contestants, options.logRounds, () => cluster.settle([connection]));
  const [ours, copy] = [rounds.get(OURS)!, rounds.get(COPY)!].map((each) => each.map(({ perSecond }) => perSecond)) as [number[], number[]];
  const { median: value, min, max } = spreadOf(ours);
  return {
    id: 'P9',
    title: `Rebuild of ${tables.length} read models of a log of ${events.toLocaleString('en-US')} events`,
    turns,
    series: [...rounds].map(([name, each]) => seriesOf(name, 'events/s', each)),
    claims: [
      claim('P9 rebuild ÷ COPY of the same rows', '×', ratioOf(ours, copy), { atLeast: 0.25 }),
      claim('P9 rebuild of all read models', 'events/s', { value, min, max }, { atLeast: 50_000 }),
    ],
    notes: [
      'The rebuild folds the log anew into shadow tables, makes the indexes and swaps the tables in, while the old ones serve.',
      'COPY reads the same rows from files on the database server, table by table, into tables with the same key, and then makes the same further ' +
        'indexes. Its time does not include writing those files.',
    ],
    missing: [],
  };
};

const copyRound = async (client: Client, tables: readonly string[], events: number): Promise<Round> => {
  let milliseconds = 0;
  const folder = (await client.query<{ data_directory: string }>('SHOW data_directory')).rows[0]!.data_directory;
  for (const table of tables) {
    const file = `${folder}/bench_copy`;
    await client.query(`COPY ${table} TO '${file}'`);
    await client.query(`CREATE TABLE bench_copy (LIKE ${table}) WITH (${await storageOf(client, table)})`);
    await client.query('ALTER TABLE bench_copy ADD PRIMARY KEY (id)');
    const indexes = await furtherIndexes(client, table);
    const from = performance.now();
    await client.query(`COPY bench_copy FROM '${file}'`);
    for (const index of indexes) await client.query(index);
    milliseconds += performance.now() - from;
    await client.query('DROP TABLE bench_copy');
  }
  return { perSecond: events / (milliseconds / 1000), seconds: milliseconds / 1000 };
};

/** `fillfactor` and the like. */
const storageOf = async (client: Client, table: string): Promise<string> => {
  const { rows } = await client.query<{ options: string | null }>(
    `SELECT array_to_string(reloptions, ', ') AS options FROM pg_class WHERE oid = $1::regclass`,
    [table],
  );
  return rows[0]?.options ?? 'fillfactor = 100';
};

/** The statements that give the copy every index of the table but the key's. */
const furtherIndexes = async (client: Client, table: string): Promise<readonly string[]> => {
  const { rows } = await client.query<{ columns: string }>(
    `SELECT (SELECT string_agg(pg_get_indexdef(i.indexrelid, n, true), ', ' ORDER BY n) FROM generate_series(1, i.indnkeyatts) AS n) AS columns
     FROM pg_index i WHERE i.indrelid = $1::regclass AND NOT i.indisprimary ORDER BY i.indexrelid`,
    [table],
  );
  return rows.map(({ columns }) => `CREATE INDEX ON bench_copy (${columns})`);
};
