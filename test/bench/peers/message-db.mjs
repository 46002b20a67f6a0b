import { readFileSync } from 'node:fs';
import pg from 'pg';
import { childSettings, serve } from '../child.ts';
import { messageId } from '../payload.ts';
import { runWriters } from '../writers.ts';

/**
 * message-db has no append of several messages: two calls of its function in one statement are one transaction and one round trip.
 * Each writer has a connection. Order and lock are per category: with one category it orders as much as a log of items would need.
 */
const { connection } = childSettings();
const CATEGORIES = Number(process.env.BENCH_CATEGORIES ?? 1);
const FUNCTIONS = [
  'message-store-version',
  'hash-64',
  'acquire-lock',
  'category',
  'is-category',
  'id',
  'cardinal-id',
  'stream-version',
  'write-message',
  'get-stream-messages',
  'get-category-messages',
  'get-last-stream-message',
];
const FILES = [
  'roles/message-store',
  'schema/message-store',
  'extensions/pgcrypto',
  'tables/messages',
  'types/message',
  ...FUNCTIONS.map((name) => `functions/${name}`),
  'indexes/messages-id',
  'indexes/messages-stream',
  'indexes/messages-category',
];
const WRITE_BOTH = 'SELECT write_message($1, $2, $3, $4, $5, $6), write_message($7, $2, $8, $9, $5, $10)';

const connect = async () => {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query('SET search_path = message_store, public');
  return client;
};

/** The package's own SQL files, in the order of its install script. */
const install = async () => {
  const folder = new URL('./node_modules/@eventide/message-db/database/', import.meta.url);
  const client = await connect();
  for (const file of FILES) await client.query(readFileSync(new URL(`${file}.sql`, folder), 'utf8'));
  await client.end();
};

await install();
const clients = [];

serve({
  load: async (load) => {
    while (clients.length < load.writers) clients.push(await connect());
    return runWriters(load, ({ writer, itemId, version }, { 0: first, 1: second, metadata }) =>
      clients[writer].query({
        name: 'write-both',
        text: WRITE_BOTH,
        values: [
          messageId(),
          `item${CATEGORIES > 1 ? writer % CATEGORIES : ''}-${itemId}`,
          first.type,
          JSON.stringify(first.data),
          JSON.stringify(metadata),
          version - 1,
          messageId(),
          second.type,
          JSON.stringify(second.data),
          version,
        ],
      }),
    );
  },
});
