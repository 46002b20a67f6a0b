import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { coreSkills, type CoreSkill } from '@app/skills';
import { readConfig } from '../../apps/gateway/src/config';
import { startServer } from '../../apps/gateway/src/server';
import { PayloadSealer } from '@app/event-store';
import { masterKeyIn, Vault } from '@app/vault';
import { sealedPayloads } from '../../apps/gateway/src/sealed-payloads';
import { serverDatabase } from '../database';

export const ADMIN_KEY = 'hk_admin-of-the-demo-site';

export type Answer = { readonly status: number; readonly headers: Headers; readonly text: string; readonly body: Body };
/** Bodies are asserted on, not typed. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Body = any;
export type Api = {
  (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  readonly key: string;
};

/** Calls to the server at a URL with a key. A path that does not begin with a slash is one of the API. */
export const apiAt = (url: string) => (key: string): Api => {
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const answer = await fetch(path.startsWith('/') ? `${url}${path}` : `${url}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: text.startsWith('{') && !answer.headers.get('content-type')?.includes('ndjson') ? (JSON.parse(text) as Body) : undefined };
  };
  return Object.assign(call, { key });
};

/** A whole server with both roles on a real port, with a database of its own. */
export const testServer = async (environment: Record<string, string> = {}, more: readonly CoreSkill[] = [], newDatabase = serverDatabase) => {
  const database = await newDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'harness-e2e-'));
  const databaseUrl = `postgres://${database.user}@localhost:${database.port}/${database.database}?host=${encodeURIComponent(database.host)}`;
  const config = readConfig({ DATABASE_URL: databaseUrl, PORT: '0', HARNESS_DATA_DIR: dataDir, HARNESS_BOOTSTRAP_KEY: ADMIN_KEY, LOG_LEVEL: 'warn', ...environment });
  const server = await startServer(config, [...coreSkills, ...more]);
  const pool = new Pool({ host: database.host, port: database.port, user: database.user, database: database.database, max: 2 });
  // A connection that is closing may still hear that its database is dropped.
  pool.on('error', () => undefined);
  const url = server.url!;
  const sealer = new PayloadSealer({ payloads: sealedPayloads, subjects: new Vault(pool, config.masterKey ?? (await masterKeyIn(dataDir))).payloadsOn(pool) });
  const as = apiAt(url);
  const admin = as(ADMIN_KEY);
  return {
    url, admin, as, pool, dataDir, database, databaseUrl,
    /** Every event behind a position, oldest first, what is sealed in them opened. */
    log: async (behind = 0n) => {
      const { rows } = await pool.query<Body>('SELECT position, stream_id, type, site_id, data::jsonb AS data, metadata::jsonb AS metadata FROM es_event WHERE position > $1 ORDER BY position', [String(behind)]);
      const opened = await sealer.openData(rows as { type: string; data: unknown }[]);
      return rows.map((row: Body, nr: number) => ({ ...row, data: opened[nr] as Body }));
    },
    head: async () => BigInt((await pool.query<Body>('SELECT coalesce(max(position), 0) AS head FROM es_event')).rows[0].head as string),
    newKey: async (body: Record<string, unknown>, issuer: Api = admin): Promise<Api & { readonly id: string }> => {
      const { data } = (await issuer('POST', 'api-keys', { name: 'test', kind: 'agent', capabilities: [], ...body })).body;
      return Object.assign(as(data.key as string), { id: data.id as string });
    },
    /** Ends the server and leaves its database. */
    stop: () => server.stop(),
    close: async () => {
      await server.stop();
      await pool.end();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
export type TestServer = Awaited<ReturnType<typeof testServer>>;

/** The events of a server-sent stream, one by one. */
export async function* sentEvents(answer: Response): AsyncGenerator<{ id?: string; event?: string; data: Body }> {
  let rest = '';
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    rest += chunk;
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const fields = rest.slice(0, end).split('\n').filter((line) => !line.startsWith(':') && line !== '');
      rest = rest.slice(end + 2);
      const sent = Object.fromEntries(fields.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
      if (sent['data'] !== undefined) yield { ...sent, data: JSON.parse(sent['data']) as Body };
    }
  }
}
