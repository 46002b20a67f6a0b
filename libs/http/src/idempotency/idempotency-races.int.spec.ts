import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, HttpCode, Post } from '@nestjs/common';
import { Executor, idFor, NoSnapshots, PostgresEventStore, States } from '@app/event-store';
import { accept, Catalogue, eventFamily, type Aggregate, type EventOf } from '@app/kernel';
import { once } from 'node:events';
import { z } from 'zod';
import { testDatabase, type TestDatabase } from '../../../../test/database';
import { Caller } from '../caller';
import { orProblem } from '../respond';
import { migrateHttp } from './migrate';
import { commands, forgetAll, freshKey, gates, post, startOrders, type OrderServer } from './orders.examples';

const LEASE_MS = 1_000;

const events = eventFamily('item', { ItemCreated: z.strictObject({ title: z.string() }) });
const item: Aggregate<{ readonly title?: string }, EventOf<typeof events>> = {
  category: 'item', initial: {}, evolve: (_state, event) => ({ title: event.data.title }), stateVersion: 1,
};

let executor: Executor;

/** A use case as capabilities write them: the id comes from the command, so a second execution meets what the first one made. */
@Controller('orders/logged')
class Logged {
  @Post() @HttpCode(201) async create(@Caller() caller: Caller) {
    const context = caller.context();
    const id = idFor('item', context);
    const executed = await executor.execute({ item: { aggregate: item, id } }, context, () => accept({ item: [{ type: 'ItemCreated' as const, data: { title: 'tea' } }] }));
    const go = once(gates, 'go');
    gates.emit('appended');
    await go;
    return orProblem(executed.ok ? { ok: true, data: { id, version: executed.versions.item }, position: executed.position } : executed);
  }
}

describe('Requests that race for one Idempotency-Key', () => {
  let database: TestDatabase;
  let store: PostgresEventStore;
  let servers: readonly [OrderServer, OrderServer];

  beforeAll(async () => {
    database = await testDatabase();
    servers = await Promise.all([startOrders(database, LEASE_MS, [Logged]), startOrders(database, LEASE_MS, [Logged])]);
    await migrateHttp(servers[0].pool);
    const { drop: _drop, ...connection } = database;
    store = await new PostgresEventStore({ connection, catalogue: new Catalogue(events) }).start();
    executor = new Executor(store, new States(store, new NoSnapshots()));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await store.close();
    await database.drop();
  });
  beforeEach(forgetAll);

  it.each([['one process', 0], ['two processes', 1]] as const)('[API-015] wait for the first and get its answer, in %s', async (_name, other) => {
    const key = freshKey();
    const executing = once(gates, 'executing');
    const first = post(servers[0], key, { path: '/slow' });
    await executing;
    let answered = 0;
    const others = Array.from({ length: 10 }, () => post(servers[other], key, { path: '/slow' }).finally(() => answered++));
    // Longer than the lease: a holder that lives renews, and is never taken over.
    await new Promise((later) => setTimeout(later, LEASE_MS * 1.2));
    expect(answered).toBe(0);
    gates.emit('go');
    const answers = await Promise.all([first, ...others]);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['202 {"data":{"number":1},"position":"1"}']));
    expect(answers.filter(({ replayed }) => replayed === 'true')).toHaveLength(10);
    expect(commands).toHaveLength(1);
  });

  it('have one effect when all arrive at once', async () => {
    for (let round = 0; round < 20; round++) {
      const key = freshKey();
      const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => post(servers[n % 2]!, key)));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(commands).toHaveLength(round + 1);
    }
  });

  it('have one effect in the log and one answer when the first process is cut off after its append', async () => {
    const key = freshKey();
    const doomed = await startOrders(database, LEASE_MS, [Logged]);
    const appended = once(gates, 'appended');
    const lost = post(doomed, key, { path: '/logged' });
    await appended;
    await doomed.pool.end();
    const again = once(gates, 'appended');
    const second = post(servers[0], key, { path: '/logged' });
    await again;
    gates.emit('go');
    const answer = await second;
    expect(answer).toMatchObject({ status: 201, replayed: null });
    expect(await post(servers[1], key, { path: '/logged' })).toEqual({ ...answer, replayed: 'true' });
    expect((await lost).text).toBe(answer.text);
    const { data } = JSON.parse(answer.text) as { data: { id: string } };
    expect(await store.versions([`item-${data.id}`])).toEqual(new Map([[`item-${data.id}`, 1]]));
    expect(await store.head()).toBe(1n);
    await doomed.close();
  });

  it('get the answer that was recorded first, the one who was taken over too', async () => {
    const key = freshKey();
    const executing = once(gates, 'executing');
    const stalled = post(servers[0], key, { path: '/slow' });
    await executing;
    // What others see of a process that stands still for longer than its lease; it finishes all the same.
    await servers[0].pool.query(`UPDATE http_idempotency SET lease_until = clock_timestamp() - interval '1 s' WHERE status IS NULL`);
    const again = once(gates, 'executing');
    const second = post(servers[1], key, { path: '/slow' });
    await again;
    gates.emit('go');
    const answers = await Promise.all([stalled, second]);
    expect(answers[0].text).toBe(answers[1].text);
    expect(answers.map(({ replayed }) => replayed).filter(Boolean)).toEqual(['true']);
    expect(new Set(commands.map(({ id }) => id)).size).toBe(1);
  });

  it('find the answer although the client of the first has left', async () => {
    const key = freshKey();
    const leave = new AbortController();
    const executing = once(gates, 'executing');
    const left = post(servers[0], key, { path: '/slow', signal: leave.signal }).catch(() => 'left');
    await executing;
    leave.abort();
    expect(await left).toBe('left');
    const repeat = post(servers[1], key, { path: '/slow' });
    gates.emit('go');
    expect(await repeat).toMatchObject({ status: 202, replayed: 'true' });
    expect(commands).toHaveLength(1);
  });
});
