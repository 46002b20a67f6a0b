import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, HttpCode, Module, Post, Res, UseGuards, type CanActivate } from '@nestjs/common';
import { reject, type Outcome } from '@app/kernel';
import type { FastifyReply } from 'fastify';
import { EventEmitter, once } from 'node:events';
import { Pool } from 'pg';
import { z } from 'zod';
import { testDatabase, type TestDatabase } from '../../../../test/database';
import { RequireCapability } from '../access';
import { Caller } from '../caller';
import { etagOf } from '../parameters';
import { ProblemException } from '../problem';
import { orProblem } from '../respond';
import { KnownKeys, principalOf, startHttp, type RunningHttp } from '../testing';
import { migrateHttp } from './migrate';
import { PostgresIdempotency } from './postgres-idempotency';

const Order = z.strictObject({ item: z.string(), count: z.number().default(1), note: z.string().optional() });

/** What the handlers do to the world, and how a test holds them up. */
const gates = new EventEmitter();
const commands: { id: string; repeatable: boolean | undefined }[] = [];
const outcomes: (() => Outcome<unknown>)[] = [];
let limited = false;

class RateLimit implements CanActivate {
  canActivate(): true {
    if (limited) throw new ProblemException(429, 'RATE_LIMITED', 'Slower, please.', { retryAfter: 1, kept: false });
    return true;
  }
}

@Controller('orders')
@UseGuards(RateLimit)
class Orders {
  @Post() create(@Body({ schema: Order }) order: z.infer<typeof Order>, @Caller() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    const { commandId, repeatable } = caller.context();
    commands.push({ id: commandId, repeatable });
    reply.header('etag', etagOf(commands.length)).header('location', `/orders/${commands.length}`);
    return orProblem({ ok: true, data: { number: commands.length, ...order }, position: BigInt(commands.length) });
  }
  @Post('scripted') @HttpCode(200) scripted(@Caller() caller: Caller) {
    const { commandId, repeatable } = caller.context();
    commands.push({ id: commandId, repeatable });
    return orProblem(outcomes.shift()!());
  }
  @Post('slow') @HttpCode(202) async slow(@Caller() caller: Caller) {
    commands.push({ id: caller.context().commandId, repeatable: true });
    const number = commands.length;
    const go = once(gates, 'go');
    gates.emit('executing');
    await go;
    return { data: { number }, position: '1' };
  }
  @Post('nothing') @HttpCode(204) nothing(@Caller() caller: Caller) { commands.push({ id: caller.context().commandId, repeatable: true }); }
  @Post('by-hand') byHand(@Caller() caller: Caller, @Res() reply: FastifyReply) {
    commands.push({ id: caller.context().commandId, repeatable: true });
    reply.hijack();
    reply.raw.end('by hand');
  }
  @RequireCapability('orders:cancel') @Post('cancel') cancel() { commands.push({ id: '', repeatable: true }); }
  @Get() list() { return { data: commands.push({ id: 'get', repeatable: false }), position: '0' }; }
}

@Module({ controllers: [Orders] })
class OrdersModule {}

const LEASE_MS = 400;

describe('Idempotency-Key', () => {
  let database: TestDatabase;
  let servers: readonly [RunningHttp, RunningHttp];
  let pools: Pool[];
  let key = 0;

  const keys = new KnownKeys({
    hk_ada: principalOf({ sites: ['site_a', 'site_b'] }), hk_bob: principalOf({ id: 'key_bob' }), hk_chief: principalOf({ roles: ['admin'] }),
  });
  const start = async () => {
    const pool = new Pool({ host: database.host, port: database.port, user: database.user, database: database.database });
    pool.on('error', () => undefined);
    pools.push(pool);
    const http = await startHttp({ imports: [OrdersModule] }, { authenticator: keys, idempotency: new PostgresIdempotency(pool, { leaseMs: LEASE_MS }) });
    return { http, pool };
  };
  type Sent = { readonly path?: string; readonly body?: unknown; readonly headers?: Record<string, string>; readonly on?: RunningHttp; readonly signal?: AbortSignal };
  const post = async (idempotencyKey: string, { path = '', body = { item: 'tea' }, headers = {}, on = servers[0], signal }: Sent = {}) => {
    const answer = await on.request(`/api/v1/orders${path}`, {
      method: 'POST', ...(signal && { signal }), body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { authorization: 'Bearer hk_ada', 'content-type': 'application/json', 'idempotency-key': idempotencyKey, ...headers },
    });
    const text = await answer.text();
    const { etag, location, 'retry-after': retryAfter, 'content-type': type } = Object.fromEntries(answer.headers);
    return { status: answer.status, text, kept: { etag, location, retryAfter, type }, replayed: answer.headers.get('idempotent-replayed') };
  };
  const fresh = () => `key ${++key}`;

  beforeAll(async () => {
    database = await testDatabase();
    pools = [];
    const first = await start();
    await Promise.all([migrateHttp(first.pool), migrateHttp(first.pool)]);
    servers = [first.http, (await start()).http];
  });
  afterAll(async () => {
    await Promise.all(servers.map((http) => http.close()));
    await Promise.all(pools.map((pool) => pool.ended || pool.end()));
    await database.drop();
  });
  beforeEach(() => {
    commands.length = 0;
    outcomes.length = 0;
    limited = false;
  });

  it('[API-010] repeats the first answer, with its status and headers', async () => {
    const k = fresh();
    const first = await post(k);
    expect(first).toMatchObject({ status: 201, replayed: null, kept: { etag: '"1"', location: '/orders/1', type: 'application/json; charset=utf-8' } });
    expect(await post(k)).toEqual({ ...first, replayed: 'true' });
    expect(await post(k, { on: servers[1], body: '{ "item" : "tea" }' })).toEqual({ ...first, replayed: 'true' });
    expect(commands).toEqual([{ id: expect.any(String), repeatable: true }]);
  });

  it('[API-010] counts per principal, site and route', async () => {
    const k = fresh();
    outcomes.push(() => ({ ok: true, data: 'other route', position: 1n }));
    const answers = [
      await post(k), await post(k, { headers: { authorization: 'Bearer hk_bob' } }), await post(k, { headers: { 'x-site-id': 'site_b' } }),
      await post(k, { path: '/scripted' }),
    ];
    expect(answers.map(({ replayed }) => replayed)).toEqual([null, null, null, null]);
    expect(new Set(commands.map(({ id }) => id)).size).toBe(4);
  });

  it('[API-010] is kept for 24 hours, then means a new request', async () => {
    const k = fresh();
    await post(k);
    const aged = (sql: string) => pools[0]!.query<{ seconds: string }>(sql);
    const { rows } = await aged(`SELECT extract(epoch FROM max(expires_at) - clock_timestamp()) AS seconds FROM http_idempotency`);
    expect(Number(rows[0]!.seconds)).toBeGreaterThan(86_390);
    expect(Number(rows[0]!.seconds)).toBeLessThanOrEqual(86_400);
    await aged(`UPDATE http_idempotency SET expires_at = clock_timestamp()`);
    expect(await post(k, { body: { item: 'coffee' } })).toMatchObject({ status: 201, replayed: null });
    expect(new Set(commands.map(({ id }) => id)).size).toBe(2);
  });

  it('[API-012] refuses another body', async () => {
    const k = fresh();
    await post(k, { body: { item: 'tea', count: 2 } });
    for (const body of [{ item: 'coffee', count: 2 }, { item: 'tea' }, '{}', { item: 'tea', count: [2] }])
      expect(await post(k, { body })).toMatchObject({ status: 422, text: expect.stringContaining('IDEMPOTENCY_MISMATCH') });
    expect(await post(k, { path: '?x=1', body: { item: 'tea', count: 2 } })).toMatchObject({ status: 422 });
    expect(await post(k, { body: '{"count":2,"item":"tea"}' })).toMatchObject({ status: 201, replayed: 'true' });
    expect(commands).toHaveLength(1);
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
    const k = fresh();
    outcomes.push(outcome);
    const first = await post(k, { path: '/scripted' });
    expect(first).toMatchObject({ status, replayed: null });
    expect(await post(k, { path: '/scripted', on: servers[1] })).toEqual({ ...first, replayed: 'true' });
    expect(commands).toHaveLength(1);
  });

  it('[API-014] keeps no answer that was given before execution', async () => {
    const k = fresh();
    expect(await post(k, { body: '{"item":' })).toMatchObject({ status: 400 });
    expect(await post(k, { headers: { authorization: 'Bearer hk_nobody' } })).toMatchObject({ status: 401 });
    expect(await post(k, { headers: { 'x-site-id': 'site_c' } })).toMatchObject({ status: 403 });
    expect(await post(k, { body: { item: 5 } })).toMatchObject({ status: 422, text: expect.stringContaining('VALIDATION_FAILED') });
    limited = true;
    expect(await post(k)).toMatchObject({ status: 429 });
    limited = false;
    expect(commands).toEqual([]);
    expect(await post(k)).toMatchObject({ status: 201, replayed: null });
    expect(await post(k, { path: '/cancel' })).toMatchObject({ status: 403 });
  });

  it.each([['in one process', 0, 0], ['in two processes', 0, 1]])('[API-015] lets a concurrent duplicate wait for the first: %s', async (_name, a, b) => {
    const k = fresh();
    const executing = once(gates, 'executing');
    const first = post(k, { path: '/slow', on: servers[a]! });
    await executing;
    let answered = 0;
    const others = Array.from({ length: 10 }, () => post(k, { path: '/slow', on: servers[b]! }).finally(() => answered++));
    // Longer than the lease: a holder that lives is never taken over, because it renews.
    await new Promise((later) => setTimeout(later, LEASE_MS * 2));
    expect(answered).toBe(0);
    gates.emit('go');
    const answers = await Promise.all([first, ...others]);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['202 {"data":{"number":1},"position":"1"}']));
    expect(answers.map(({ replayed }) => replayed).filter(Boolean)).toHaveLength(10);
    expect(commands).toHaveLength(1);
  });

  it('lets another process execute again, under the same command id, after the holder died', async () => {
    const k = fresh();
    const doomed = await start();
    const executing = once(gates, 'executing');
    const lost = post(k, { path: '/slow', on: doomed.http });
    await executing;
    await doomed.pool.end();
    const again = once(gates, 'executing');
    const second = post(k, { path: '/slow' });
    await again;
    gates.emit('go');
    expect(await second).toMatchObject({ status: 202, replayed: null });
    await lost;
    expect(commands).toHaveLength(2);
    expect(commands[0]!.id).toBe(commands[1]!.id);
    await doomed.http.close();
  });

  it('gives every attempt the answer that was recorded first', async () => {
    const k = fresh();
    const executing = once(gates, 'executing');
    const stalled = post(k, { path: '/slow' });
    await executing;
    // What a process does that stood still for longer than its lease: it finishes after another has taken over.
    await pools[0]!.query(`UPDATE http_idempotency SET lease_until = clock_timestamp() - interval '1 s' WHERE status IS NULL`);
    const again = once(gates, 'executing');
    const second = post(k, { path: '/slow', on: servers[1] });
    await again;
    gates.emit('go');
    const [a, b] = await Promise.all([stalled, second]);
    expect(a.text).toBe(b.text);
    expect([a.replayed, b.replayed].sort()).toEqual([null, 'true'].sort());
  });

  it('executes again, under the same command id, after an answer that promised nothing was stored', async () => {
    const k = fresh();
    outcomes.push(() => reject('unavailable', 'OVERLOADED', 'Later.'), () => reject('unavailable', 'UNAVAILABLE', 'Later.'), () => ({ ok: true, data: 1, position: 1n }));
    const statuses = [];
    for (let attempt = 0; attempt < 4; attempt++) statuses.push((await post(k, { path: '/scripted' })).status);
    expect(statuses).toEqual([503, 503, 200, 200]);
    expect(new Set(commands.map(({ id }) => id)).size).toBe(1);
    expect(commands).toHaveLength(3);
  });

  it('records the answer although the client has left', async () => {
    const k = fresh();
    const leave = new AbortController();
    const executing = once(gates, 'executing');
    const left = post(k, { path: '/slow', signal: leave.signal }).catch(() => 'left');
    await executing;
    leave.abort();
    expect(await left).toBe('left');
    const repeat = post(k, { path: '/slow' });
    gates.emit('go');
    expect(await repeat).toMatchObject({ status: 202, replayed: 'true' });
    expect(commands).toHaveLength(1);
  });

  it('repeats an answer without a body, and cannot keep one that a handler wrote by itself', async () => {
    const k = fresh();
    expect(await post(k, { path: '/nothing', body: '' })).toMatchObject({ status: 204, text: '', replayed: null });
    expect(await post(k, { path: '/nothing', body: {} })).toMatchObject({ status: 204, text: '', replayed: 'true' });
    expect(await post(k, { path: '/by-hand' })).toMatchObject({ status: 201, text: 'by hand' });
    expect(await post(k, { path: '/by-hand' })).toMatchObject({ status: 201, text: 'by hand' });
    expect(commands.map(({ id }) => id)).toEqual([expect.any(String), commands[1]!.id, commands[1]!.id]);
  });

  it.each(['x'.repeat(256), 'caf\u00e9', ''])('refuses a key that is not 1 to 255 printable characters: %j', async (bad) => {
    expect(await post(bad)).toMatchObject({ status: 422, text: expect.stringContaining('/Idempotency-Key') });
    expect(commands).toEqual([]);
  });

  it('means nothing on a GET, and nothing is kept without a key', async () => {
    const headers = { authorization: 'Bearer hk_ada', 'idempotency-key': 'k' };
    for (const count of [1, 2]) expect(await (await servers[0].request('/api/v1/orders', { headers })).json()).toMatchObject({ data: count });
    const plain = () => servers[0].request('/api/v1/orders', { method: 'POST', headers: { authorization: 'Bearer hk_ada', 'content-type': 'application/json' }, body: '{"item":"tea"}' });
    expect([(await plain()).status, (await plain()).status]).toEqual([201, 201]);
    expect(commands.slice(2)).toEqual([{ id: expect.any(String), repeatable: undefined }, { id: expect.any(String), repeatable: undefined }]);
  });

  it('says so when the server keeps no keys', async () => {
    const http = await startHttp({ imports: [OrdersModule] }, { authenticator: keys });
    expect(await post('k', { on: http })).toMatchObject({ status: 503 });
    expect(commands).toEqual([]);
    await http.close();
  });

  it('sweeps expired keys only', async () => {
    const store = new PostgresIdempotency(pools[0]!);
    await pools[0]!.query('DELETE FROM http_idempotency');
    await post(fresh());
    await post(fresh());
    expect(await store.sweep()).toBe(0);
    await pools[0]!.query(`UPDATE http_idempotency SET expires_at = clock_timestamp() WHERE scope = (SELECT min(scope) FROM http_idempotency)`);
    expect(await store.sweep()).toBe(1);
    expect((await pools[0]!.query('SELECT 1 FROM http_idempotency')).rowCount).toBe(1);
  });
});
