import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { serverDatabase, type TestDatabase } from '../database';
import { CountingServer } from './counting-server';
import { until } from './machine';
import { Processes, urlOf, type ReadyProcess } from './processes';
import { ADMIN_KEY, apiAt, type Api, type Body } from './server';

const CLEAN = { code: 0, signal: null };
/** As promised, and what a busy machine needs for the rest. */
const HANDLERS_MS = 30_000;
const THE_REST_MS = 12_000;

describe('SIGTERM', () => {
  const processes = new Processes();
  let database: TestDatabase;
  let outside: CountingServer;
  let pool: Pool;
  let environment: Record<string, string>;
  let gateway: ReadyProcess;
  let admin: Api;

  beforeAll(async () => {
    database = await serverDatabase();
    outside = await CountingServer.start();
    pool = new Pool({ ...database, max: 2 });
    pool.on('error', () => undefined);
    environment = { DATABASE_URL: urlOf(database), HARNESS_BOOTSTRAP_KEY: ADMIN_KEY, HARNESS_MASTER_KEY: 'ab'.repeat(32), LOG_LEVEL: 'log' };
    gateway = await processes.start({ ...environment, HARNESS_ROLES: 'gateway' });
    admin = apiAt(gateway.url)(ADMIN_KEY);
    await admin('PUT', 'settings', { outbound: { allowHosts: [outside.host] } });
    await admin('PUT', 'agent/tools/fetchIt', {
      kind: 'http', description: 'Counts', inputSchema: { type: 'object' }, requiredCapabilities: ['items:update'], risk: 'read', timeoutMs: 240_000, http: { url: `${outside.url}/fetch` },
    });
  });
  afterEach(() => outside.reset());
  afterAll(async () => {
    await processes.cleanUp();
    await outside.close();
    await pool.end();
    await database.drop();
  });

  const later = async (): Promise<string> =>
    (await admin('POST', 'agent/goals', { title: 'Later', agentName: 'robot', execution: 'async', budget: { timeoutMs: 240_000 }, task: { skillName: 'fetchIt', arguments: {} } })).body.data.runId as string;
  const eventsOf = async (runId: string): Promise<Body[]> => (await pool.query<Body>('SELECT type, data::jsonb AS data FROM es_event WHERE stream_id = $1 ORDER BY version', [`run-${runId}`])).rows;
  const leases = async () => (await pool.query<Body>(`SELECT name, owner FROM es_consumer WHERE owner IS NOT NULL AND expires_at > clock_timestamp()`)).rows;
  const ended = (runId: string) => {
    let last = '';
    return until(async () => {
      const { data } = (await admin('GET', `agent/runs/${runId}`)).body;
      last = JSON.stringify(data);
      return data.status === 'succeeded' ? (data as Body) : undefined;
    }, () => `the run to succeed: ${last}`, 60_000);
  };

  it('lets the handler of a queued run finish, and its outcome is recorded by the process that stops', async () => {
    const worker = await processes.start({ ...environment, HARNESS_ROLES: 'worker' });
    const release = outside.hold();
    const runId = await later();
    await outside.until(1);
    worker.signal('SIGTERM');
    await worker.untilPrinted(/SIGTERM: stopping/);
    release();
    expect(await worker.exited).toEqual(CLEAN);
    expect((await eventsOf(runId)).map(({ type }) => type as string).slice(-2)).toEqual(['ToolCallSucceeded', 'RunSucceeded']);
    expect(outside.received).toHaveLength(1);
  });

  it('[RELI-008] releases leases, gives back what is not done, and loses nothing that was acknowledged', async () => {
    const second = await processes.start({ ...environment, HARNESS_ROLES: 'gateway' });
    const worker = await processes.start({ ...environment, HARNESS_ROLES: 'worker' });
    await until(async () => (await leases()).length > 3, () => 'the worker to lead', 30_000);
    const api = apiAt(second.url)(ADMIN_KEY);
    const acknowledged: { readonly id: string; readonly position: string }[] = [];
    let enough: (value?: unknown) => void;
    const busy = new Promise((settle) => (enough = settle));
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let nr = 0; ; nr++) {
        const answer = await api('POST', 'items/products', { data: { sku: 'G-1', title: `${writer}-${nr}` } }).catch(() => undefined);
        if (answer?.status !== 201) return;
        acknowledged.push({ id: answer.body.data.id as string, position: answer.body.position as string });
        if (acknowledged.length === 60) enough();
      }
    });
    await busy;
    expect(await Promise.all([second.stop(), worker.stop()])).toEqual([CLEAN, CLEAN]);
    await Promise.all(writers);
    expect(await leases()).toEqual([]);
    expect((await pool.query(`SELECT 1 FROM process_heartbeat WHERE expires_at > clock_timestamp()`)).rowCount).toBe(1);
    const { rows } = await pool.query<{ position: string; id: string }>(`SELECT position::text, substr(stream_id, 6) AS id FROM es_event WHERE type = 'ItemCreated'`);
    const stored = new Map(rows.map(({ id, position }) => [id, position]));
    for (const { id, position } of acknowledged) expect(stored.get(id)).toBe(position);
  });

  it('[RELI-007] gives handlers 30 s: what is not done then is given back, and the next worker does it at once', async () => {
    const worker = await processes.start({ ...environment, HARNESS_ROLES: 'worker' });
    const release = outside.hold();
    const runId = await later();
    await outside.until(1);
    const signalled = performance.now();
    worker.signal('SIGTERM');
    expect(await worker.exited).toEqual(CLEAN);
    const took = performance.now() - signalled;
    expect(took).toBeGreaterThanOrEqual(HANDLERS_MS - 100);
    expect(took).toBeLessThan(HANDLERS_MS + THE_REST_MS);
    release();
    await processes.start({ ...environment, HARNESS_ROLES: 'worker' });
    expect((await ended(runId)).toolCalls).toMatchObject([{ status: 'executed' }]);
  }, 150_000);

  it('[RELI-007] lets a call that an agent waits for finish, and answers it', async () => {
    const second = await processes.start({ ...environment, HARNESS_ROLES: 'gateway' });
    const { runId } = (await admin('POST', 'agent/goals', { title: 'Now', agentName: 'robot' })).body.data as { runId: string };
    const release = outside.hold();
    const asked = apiAt(second.url)(ADMIN_KEY)('POST', `agent/runs/${runId}/tool-calls`, { tool: 'fetchIt', arguments: {} });
    await outside.until(1);
    second.signal('SIGTERM');
    await second.untilPrinted(/SIGTERM: stopping/);
    release();
    expect((await asked).body.data.status).toBe('executed');
    expect(await second.exited).toEqual(CLEAN);
  });
});
