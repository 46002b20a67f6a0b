import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase } from '../database';
import { eventually } from './eventually';
import { testServer, type TestServer } from './server';

describe('The queues', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await testServer();
  });
  afterAll(() => server.close());
  const queues = async () => (await server.admin('GET', 'ops/queues')).body.data;
  const NONE = { waiting: 0, active: 0, delayed: 0, failed: 0 };

  it('[OBS-036] are shown by GET /api/v1/ops/queues with their depth and failures', async () => {
    expect(await queues()).toEqual([{ name: 'agent-runs', ...NONE }, { name: 'agent-veto-commits', ...NONE }]);
    // Rows as the queue writes them, in every state that it counts.
    const put = (state: string, count: number, more: { readonly after?: string; readonly name?: string; readonly source?: string } = {}) => server.pool.query(
      `INSERT INTO pgboss.job (name, state, start_after, data, heartbeat_on, source_name)
       SELECT $1, $2::pgboss.job_state, now() + $3::interval, '{"job":"x","text":"{}"}', now(), $4 FROM generate_series(1, $5::int)`,
      [more.name ?? 'agent-veto-commits', state, more.after ?? '0', more.source ?? null, count]);
    await put('created', 3);
    await put('active', 2);
    await put('retry', 4, { after: '1 hour' });
    await put('completed', 6);
    await put('created', 5, { name: 'agent-dead-letter', source: 'agent-veto-commits' });
    const veto = await eventually(queues, ([, one]) => one.failed === 5);
    expect(veto).toEqual([{ name: 'agent-runs', ...NONE }, { name: 'agent-veto-commits', waiting: 3, active: 2, delayed: 4, failed: 5 }]);
  });

  it('are shown to those who may read operations', async () => {
    expect((await (await server.newKey({ capabilities: [] }))('GET', 'ops/queues')).status).toBe(403);
    expect((await (await server.newKey({ capabilities: ['ops:read'] }))('GET', 'ops/queues')).status).toBe(200);
  });

  it('are not there with HARNESS_QUEUE=off, and neither is their schema', async () => {
    const without = await testServer({ HARNESS_QUEUE: 'off' }, [], testDatabase);
    expect((await without.admin('GET', 'ops/queues')).body.data).toEqual([]);
    expect((await without.pool.query(`SELECT 1 FROM pg_namespace WHERE nspname = 'pgboss'`)).rowCount).toBe(0);
    await without.close();
  });
});
