import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reject, type Outcome } from '@app/kernel';
import { testDatabase, type TestDatabase } from '../../../../test/database';
import { startHttp } from '../testing';
import { migrateHttp } from './migrate';
import { commands, forgetAll, freshKey, keys, limiter, OrdersModule, outcomes, post, startOrders, type OrderServer } from './orders.examples';
import { PostgresIdempotency } from './postgres-idempotency';

describe('Idempotency-Key', () => {
  let database: TestDatabase;
  let here: OrderServer;
  let there: OrderServer;

  beforeAll(async () => {
    database = await testDatabase();
    [here, there] = await Promise.all([startOrders(database, 15_000), startOrders(database, 15_000)]);
    await Promise.all([migrateHttp(here.pool), migrateHttp(there.pool)]);
    await migrateHttp(here.pool);
  });
  afterAll(async () => {
    await Promise.all([here.close(), there.close()]);
    await database.drop();
  });
  beforeEach(forgetAll);

  it('[API-010] repeats the first answer, with its status and headers', async () => {
    const key = freshKey();
    const first = await post(here, key);
    expect(first).toMatchObject({ status: 201, replayed: null, kept: { etag: '"1"', location: '/orders/1', type: 'application/json; charset=utf-8' } });
    expect(await post(here, key)).toEqual({ ...first, replayed: 'true' });
    expect(await post(there, key, { body: '{ "item" : "tea" }' })).toEqual({ ...first, replayed: 'true' });
    expect(commands).toEqual([{ id: expect.any(String), repeatable: true }]);
  });

  it('[API-010] counts per principal, site and route', async () => {
    const key = freshKey();
    outcomes.push(() => ({ ok: true, data: 'other route', position: 1n }));
    const answers = [
      await post(here, key), await post(here, key, { headers: { authorization: 'Bearer hk_bob' } }), await post(here, key, { headers: { 'x-site-id': 'site_b' } }),
      await post(here, key, { path: '/scripted' }),
    ];
    expect(answers.map(({ replayed }) => replayed)).toEqual([null, null, null, null]);
    expect(new Set(commands.map(({ id }) => id)).size).toBe(4);
  });

  it('[API-010] is kept for 24 hours, then means a new request', async () => {
    const key = freshKey();
    await post(here, key);
    const { rows } = await here.pool.query<{ seconds: string }>('SELECT extract(epoch FROM max(expires_at) - clock_timestamp()) AS seconds FROM http_idempotency');
    expect(Number(rows[0]!.seconds)).toBeGreaterThan(86_300);
    expect(Number(rows[0]!.seconds)).toBeLessThanOrEqual(86_400);
    await here.pool.query('UPDATE http_idempotency SET expires_at = clock_timestamp()');
    expect(await post(here, key, { body: { item: 'coffee' } })).toMatchObject({ status: 201, replayed: null });
    expect(new Set(commands.map(({ id }) => id)).size).toBe(2);
  });

  it('[API-012] refuses another body', async () => {
    const key = freshKey();
    await post(here, key, { body: { item: 'tea', count: 2 } });
    for (const body of [{ item: 'coffee', count: 2 }, { item: 'tea' }, '{}', { item: 'tea', count: [2] }])
      expect(await post(here, key, { body })).toMatchObject({ status: 422, text: expect.stringContaining('IDEMPOTENCY_MISMATCH') });
    expect(await post(here, key, { path: '?x=1', body: { item: 'tea', count: 2 } })).toMatchObject({ status: 422 });
    expect(await post(here, key, { body: '{"count":2,"item":"tea"}' })).toMatchObject({ status: 201, replayed: 'true' });
  });

  it.each<[string, number, () => Outcome<unknown>]>([
    ['a conflict', 409, () => reject('conflict', 'CONFLICT', 'It moved.', { at: 3 })],
    ['a decision that forbids', 403, () => reject('forbidden', 'FORBIDDEN', 'Not you.')],
    ['a decision that finds the request invalid', 422, () => reject('invalid', 'VALIDATION_FAILED', 'No.')],
    ['a freeze', 423, () => reject('frozen', 'FROZEN', 'Frozen.')],
    ['a queue that failed', 503, () => reject('unavailable', 'ENQUEUE_FAILED', 'Not queued.', { goalId: 'goal_1' })],
    ['a failure nobody expected', 503, () => { throw new Error('boom'); }],
    ['success', 200, () => ({ ok: true, data: { big: 2n ** 60n }, position: 5n })],
  ])('[API-013] keeps %s', async (_name, status, outcome) => {
    const key = freshKey();
    outcomes.push(outcome);
    const first = await post(here, key, { path: '/scripted' });
    expect(first).toMatchObject({ status, replayed: null });
    expect(await post(there, key, { path: '/scripted' })).toEqual({ ...first, replayed: 'true' });
    expect(commands).toHaveLength(1);
  });

  it('[API-014] keeps no answer that was given before execution', async () => {
    const key = freshKey();
    expect(await post(here, key, { body: '{"item":' })).toMatchObject({ status: 400 });
    expect(await post(here, key, { headers: { authorization: 'Bearer hk_nobody' } })).toMatchObject({ status: 401 });
    expect(await post(here, key, { headers: { 'x-site-id': 'site_c' } })).toMatchObject({ status: 403 });
    expect(await post(here, key, { body: { item: 5 } })).toMatchObject({ status: 422, text: expect.stringContaining('VALIDATION_FAILED') });
    limiter.closed = true;
    expect(await post(here, key)).toMatchObject({ status: 429 });
    limiter.closed = false;
    expect(commands).toEqual([]);
    expect(await post(here, key)).toMatchObject({ status: 201, replayed: null });
    expect(await post(here, key, { path: '/cancel' })).toMatchObject({ status: 403 });
    expect((await here.pool.query(`SELECT 1 FROM http_idempotency WHERE status IS NULL`)).rowCount).toBe(0);
  });

  it('executes again, under the same command id, after an answer that promised nothing was stored', async () => {
    const key = freshKey();
    outcomes.push(() => reject('unavailable', 'OVERLOADED', 'Later.'), () => reject('unavailable', 'UNAVAILABLE', 'Later.'), () => ({ ok: true, data: 1, position: 1n }));
    const statuses = [];
    for (let attempt = 0; attempt < 4; attempt++) statuses.push((await post(here, key, { path: '/scripted' })).status);
    expect(statuses).toEqual([503, 503, 200, 200]);
    expect(commands).toHaveLength(3);
    expect(new Set(commands.map(({ id }) => id)).size).toBe(1);
  });

  it('repeats an answer without a body, and cannot keep one that a handler wrote by itself', async () => {
    const key = freshKey();
    expect(await post(here, key, { path: '/nothing', body: '' })).toMatchObject({ status: 204, text: '', replayed: null });
    expect(await post(here, key, { path: '/nothing', body: {} })).toMatchObject({ status: 204, text: '', replayed: 'true' });
    for (let attempt = 0; attempt < 2; attempt++) expect(await post(here, key, { path: '/by-hand' })).toMatchObject({ text: 'by hand', replayed: null });
    expect(commands.map(({ id }) => id)).toEqual([expect.any(String), commands[1]!.id, commands[1]!.id]);
  });

  it.each(['x'.repeat(256), 'caf\u00e9', ''])('is refused unless it has 1 to 255 printable characters: %j', async (bad) => {
    expect(await post(here, bad)).toMatchObject({ status: 422, text: expect.stringContaining('/Idempotency-Key') });
    expect(commands).toEqual([]);
  });

  it('means nothing on a GET, and nothing is kept without one', async () => {
    const get = async () => (await here.request('/api/v1/orders', { headers: { authorization: 'Bearer hk_ada', 'idempotency-key': 'k' } })).json();
    expect([await get(), await get()]).toMatchObject([{ data: 1 }, { data: 2 }]);
    const headers = { authorization: 'Bearer hk_ada', 'content-type': 'application/json' };
    for (let attempt = 0; attempt < 2; attempt++) expect((await here.request('/api/v1/orders', { method: 'POST', headers, body: '{"item":"tea"}' })).status).toBe(201);
    expect(commands.slice(2)).toEqual([{ id: expect.any(String), repeatable: undefined }, { id: expect.any(String), repeatable: undefined }]);
  });

  it('is refused by a server that keeps none', async () => {
    const http = await startHttp({ imports: [OrdersModule] }, { authenticator: keys });
    expect(await post(http, 'k')).toMatchObject({ status: 503 });
    expect(commands).toEqual([]);
    await http.close();
  });

  it('is swept once expired', async () => {
    const store = new PostgresIdempotency(here.pool);
    await here.pool.query('DELETE FROM http_idempotency');
    await Promise.all([post(here, freshKey()), post(here, freshKey())]);
    expect(await store.sweep()).toBe(0);
    await here.pool.query('UPDATE http_idempotency SET expires_at = clock_timestamp() WHERE scope = (SELECT min(scope) FROM http_idempotency)');
    expect(await store.sweep()).toBe(1);
    expect((await here.pool.query('SELECT 1 FROM http_idempotency')).rowCount).toBe(1);
  });
});
