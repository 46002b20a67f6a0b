import { expect, it } from '@jest/globals';
import { Client } from 'pg';
import { testDatabase } from '../../../../test/database';
import { compileStore } from '../testing/child-process';

const EVENTS = 1_000_000;

it('[LOG-044] a stream of 1 000 000 events is read under a 128 MB heap limit', async () => {
  const database = await testDatabase();
  const client = new Client(database);
  await client.connect();
  // A million rows are stored without their indexes and indexed afterwards: that is the faster order.
  await client.query('ALTER TABLE es_event DROP CONSTRAINT es_event_pkey, DROP CONSTRAINT es_event_stream_version');
  await client.query(
    `INSERT INTO es_event (position, stream_id, version, event_id, type, schema_version, site_id, occurred_ms, data, metadata, batch, leaf)
     SELECT n, 'note-long', n, gen_random_uuid(), 'Noted', 1, 'site_a', 0, '{"text":"' || n || '"}', '{"actor":{"id":"a","kind":"service"},"commandId":"' || n || '","correlationId":"c"}', 1, '\\x00'
     FROM generate_series(1, ${EVENTS}) AS n`,
  );
  await client.query('ALTER TABLE es_event ADD PRIMARY KEY (position), ADD CONSTRAINT es_event_stream_version UNIQUE (stream_id, version)');
  await client.query(`INSERT INTO es_stream VALUES ('note-long', ${EVENTS}, 'site_a')`);
  await client.query(`INSERT INTO es_batch VALUES (1, ${EVENTS}, '\\x00', '\\x00', '\\x00', now())`);
  await client.end();
  const compiled = compileStore();
  const child = compiled.run('long-stream.js', { input: { connection: database, streamId: 'note-long' }, nodeFlags: ['--max-old-space-size=128'] });
  expect(await child.exited).toBe(0);
  expect(child.lines).toEqual([{ events: EVENTS, inOrder: true, limits: ['--max-old-space-size=128'] }]);
  compiled.remove();
  await database.drop();
}, 180_000);
