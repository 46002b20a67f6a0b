import { describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { events, type HarnessEvent } from '@app/sdk/nats';
import { readConfig } from '../../apps/gateway/src/config';
import { startServer } from '../../apps/gateway/src/server';
import { chainAfter } from '../../libs/event-store/src/chain/link';
import { serverDatabase } from '../database';
import { testNats } from '../nats';
import { eventually } from './eventually';
import { urlOf } from './processes';
import { ADMIN_KEY, apiAt, type Body } from './server';

/** Where a number would lose its last digit. */
const ABOVE = 2n ** 53n + 11n;

describe('A log that is longer than a number can count', () => {
  it('[LOG-042] keeps its positions unchanged in the store, in checkpoints, over REST and over NATS, as text', async () => {
    const [database, nats, dataDir] = [await serverDatabase(), await testNats(), await mkdtemp(join(tmpdir(), 'harness-e2e-'))];
    const pool = new Pool({ ...database, max: 2 });
    pool.on('error', () => undefined);
    const environment = { DATABASE_URL: urlOf(database), PORT: '0', HARNESS_DATA_DIR: dataDir, HARNESS_BOOTSTRAP_KEY: ADMIN_KEY, HARNESS_SEED: 'none', LOG_LEVEL: 'fatal' };
    await (await startServer(readConfig(environment))).stop();
    // As if so much had been written then, and its events archived: the chain goes on behind it, and so does the relay.
    const { rows: [head] } = await pool.query<{ last_position: string; chain: Buffer }>('SELECT last_position, chain FROM es_batch ORDER BY first_position DESC LIMIT 1');
    const [root, first] = [Buffer.alloc(32, 7), BigInt(head!.last_position) + 1n];
    await pool.query('INSERT INTO es_batch VALUES ($1, $2, $3, $4, $5, now())', [String(first), String(ABOVE), root, head!.chain, chainAfter(head!.chain, root, first, ABOVE)]);
    await pool.query(`INSERT INTO es_consumer VALUES ('relay', 0, $1, 0, '', '-infinity')`, [String(ABOVE)]);
    const connection = await connect({ servers: nats.url });
    const manager = await jetstreamManager(connection);
    // A stream with a past of which nothing is left: the checkpoint alone knows where it was.
    await manager.streams.add({ name: 'HARNESS', subjects: ['harness.site_demo.*.*'] });
    await jetstream(connection).publish('harness.site_demo.run.Archived', 'long ago');
    await manager.streams.purge('HARNESS');
    // The read models find that a part of the log is not there, and wait before it.
    const server = await startServer(readConfig({ ...environment, NATS_URL: nats.url }));
    try {
      const admin = apiAt(server.url!)(ADMIN_KEY);
      const opened = await admin('POST', 'agent/goals', { title: 'Late', agentName: 'robot' });
      const stored = (await pool.query<Body>('SELECT position::text AS position, event_id FROM es_event WHERE position > $1 ORDER BY position', [String(ABOVE)])).rows;
      const positions = stored.map(({ position }) => position as string);
      expect(positions).toEqual(positions.map((_, n) => String(ABOVE + 1n + BigInt(n))));
      expect([opened.status, opened.body.position]).toEqual([201, positions.at(-1)]);
      const seen = (await admin('GET', `agent/runs/${opened.body.data.runId}/events`)).text;
      expect([...seen.matchAll(/"position":("?)(\d+)\1/g)].every(([, quote, digits]) => quote === '"' && positions.includes(digits!))).toBe(true);
      expect(seen).toContain(`"position":"${positions.at(-1)}"`);

      const got: HarnessEvent[] = [];
      const stopping = new AbortController();
      const reading = (async () => {
        for await (const event of events(connection, { after: String(ABOVE), signal: stopping.signal })) got.push(event);
      })();
      await eventually(() => Promise.resolve(got.length), (count) => count >= positions.length);
      expect(got.map(({ position, id }) => [position, id])).toEqual(stored.map(({ position, event_id: id }) => [position, id]));
      stopping.abort();
      await reading;
      const checkpoint = async () => (await pool.query<Body>(`SELECT position::text AS position FROM es_consumer WHERE name = 'relay'`)).rows[0].position as string;
      expect(await eventually(checkpoint, (at) => at === positions.at(-1))).toBe(positions.at(-1));
      await server.stop();
      const [signed] = (await pool.query<Body>('SELECT position::text AS position FROM es_signed_checkpoint ORDER BY position DESC LIMIT 1')).rows;
      expect(BigInt(signed.position as string)).toBeGreaterThan(ABOVE);
      const last = await manager.streams.getMessage('HARNESS_CHECKPOINTS', { last_by_subj: 'harness.checkpoints' });
      expect(last!.string()).toContain(`"position":"${signed.position}"`);
    } finally {
      await server.stop();
      await connection.close();
      await nats.stop();
      await pool.end();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
