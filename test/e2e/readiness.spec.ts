import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from './eventually';
import { testServer, type Body, type TestServer } from './server';

describe('The readiness of a server', () => {
  let server: TestServer;
  let nobody: ReturnType<TestServer['as']>;
  let database: string;

  beforeAll(async () => {
    server = await testServer();
    nobody = server.as('none');
    database = (await server.pool.query<{ name: string }>('SELECT current_database() AS name')).rows[0]!.name;
  });
  afterAll(() => server.close());

  const ready = async () => {
    const { status, body, headers } = await nobody('GET', '/health/ready');
    return { status, body, retryAfter: headers.get('retry-after') };
  };
  const isReady = () => eventually(ready, ({ status }) => status === 200);
  const isNot = () => eventually(ready, ({ status }) => status === 503);
  /** As when the database's leader changes: connections break, and the new ones may only read. Or may write again. */
  const turn = async (setting: string) => {
    await server.pool.query(`BEGIN READ WRITE; ALTER DATABASE ${database} ${setting}; COMMIT`);
    await server.pool.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()');
  };

  it('[API-032] is there only while the log is writable', async () => {
    expect(await isReady()).toEqual({ status: 200, body: { status: 'ok' }, retryAfter: null });
    await turn('SET default_transaction_read_only = on');
    const unready = await isNot();
    expect([unready.status, unready.retryAfter, unready.body.status]).toEqual([503, '1', 'unavailable']);
    expect((await eventually(ready, ({ body }) => (body.reasons as string[] | undefined)?.includes('the log is not writable') === true)).status).toBe(503);
    expect((await nobody('GET', '/health/live')).status).toBe(200);
    await turn('RESET default_transaction_read_only');
    expect((await isReady()).status).toBe(200);
    expect((await eventually(() => server.admin('POST', 'items/products', { data: { sku: 'H', title: 'Healthy' } }), ({ status }) => status === 201)).status).toBe(201);
  });

  it('[API-032] is there only while every read model has caught up', async () => {
    await isReady();
    // Ready tolerates a small lag; a paused read model must have none.
    await eventually(() => server.admin('GET', 'ops/projections'), ({ body }) => (body.data as Body[]).every(({ lagEvents }) => lagEvents === '0'));
    await server.admin('POST', 'ops/projections/items/pause', {});
    expect(await ready()).toMatchObject({ status: 200 });
    await server.admin('POST', 'items/products', { data: { sku: 'H', title: 'Not seen yet' } });
    expect(await isNot()).toEqual({ status: 503, body: { status: 'unavailable', reasons: ['items is 1 events behind'] }, retryAfter: '1' });
    await server.admin('POST', 'ops/projections/items/resume', {});
    expect((await isReady()).status).toBe(200);
    await server.pool.query(`UPDATE es_projection SET state = 'stopped', error = 'as if poisoned', error_position = 1 WHERE name = 'items' AND role = 'serving'`);
    expect((await isNot()).status).toBe(503);
    await server.admin('POST', 'ops/projections/items/resume', {});
    expect((await isReady()).status).toBe(200);
  });
});
