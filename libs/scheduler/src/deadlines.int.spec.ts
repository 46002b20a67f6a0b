import { Client, Pool } from 'pg';
import { Consumers, Leases, LeaseWakes, PostgresEventStore } from '@app/event-store';
import { Catalogue, eventFamily, type Recorded } from '@app/kernel';
import { context } from '@app/kernel/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { testDatabase, type TestDatabase } from '../../../test/database';
import { Deadlines, type DeadlinesOptions } from './deadlines';
import { migrateDeadlines } from './migrate';
import type { DeadlineChange, Fired } from './deadline';

const HOUR = 3_600_000;
const START = Date.parse('2030-01-01T10:00:00.000Z');
const at = (hours: number) => new Date(START + hours * HOUR).toISOString();
const family = eventFamily('timer', { Changed: z.strictObject({ change: z.record(z.string(), z.string()) }) });

describe('Deadlines', () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: PostgresEventStore;
  let wakes: LeaseWakes;
  const running: { stop(): Promise<void> }[] = [];
  let n = 0;
  beforeAll(async () => {
    database = await testDatabase();
    pool = new Pool({ ...database, max: 10 });
    pool.on('error', () => undefined);
    await migrateDeadlines(pool);
    store = new PostgresEventStore({ connection: database, catalogue: new Catalogue(family) });
    await store.start();
    wakes = new LeaseWakes(() => new Client(database));
  });
  afterEach(() => Promise.all(running.splice(0).map((each) => each.stop())));
  afterAll(async () => {
    await wakes.close();
    await store.close();
    await pool.end();
    await database.drop();
  });

  /** A clock by hand, and no look of its own: a spec asks for what is due. */
  const world = () => {
    const name = `timer-${n++}`;
    let hours = 0;
    const process = (fire: DeadlinesOptions['fire']) => {
      const consumers = new Consumers(store, pool, new Leases(pool), { wakes });
      const deadlines = new Deadlines({
        name, db: pool, consumers, fire, filter: { categories: ['timer'] }, onError: () => undefined, now: () => new Date(START + hours * HOUR), pollMs: 24 * HOUR,
        changes: (event: Recorded) => (event.streamId === `timer-${name}` ? [event.data['change' as never] as DeadlineChange] : []),
      });
      deadlines.start();
      const stop = async () => {
        await deadlines.stop();
        await consumers.stop();
      };
      running.push({ stop });
      return { fireDue: () => deadlines.fireDue(), stop };
    };
    const caughtUp = async () => {
      for (const until = performance.now() + 20_000; performance.now() < until; await new Promise((turn) => setTimeout(turn, 10))) {
        const { rows } = await pool.query<{ position: string }>('SELECT position FROM es_consumer WHERE name = $1', [name]);
        if (rows[0] && BigInt(rows[0].position) >= (await store.head())) return;
      }
    };
    return {
      process,
      let: (to: number) => (hours = to),
      change: async (...changes: DeadlineChange[]) => {
        const events = changes.map((change) => ({ type: 'Changed', data: { change } }));
        await store.append([{ streamId: `timer-${name}`, expected: 'any', events }], [], context({ commandId: `${name}-${n++}` }));
        await caughtUp();
      },
    };
  };
  const recorder = (answers: Fired[] = []) => {
    const fired: string[] = [];
    return { fired, fire: ({ key, dueAt }: { key: string; dueAt: Date }, now: Date) => {
      fired.push(`${key} ${(now.getTime() - dueAt.getTime()) / HOUR}h late`);
      return Promise.resolve(answers.shift() ?? 'done');
    } };
  };

  it('fires nothing early, each once, and what was moved at its new time', async () => {
    const clock = world();
    const { fired, fire } = recorder();
    const { fireDue } = clock.process(fire);
    await clock.change({ set: 'a', at: at(1), topic: 't' }, { set: 'b', at: at(1), topic: 't' }, { set: 'c', at: at(1), topic: 't' });
    await clock.change({ move: 'b', at: at(5) }, { clear: 'c' });
    clock.let(0.99);
    expect(await fireDue()).toBe(0);
    clock.let(1);
    expect([await fireDue(), await fireDue(), fired]).toEqual([1, 0, ['a 0h late']]);
    clock.let(6);
    expect([await fireDue(), fired.at(-1)]).toEqual([1, 'b 1h late']);
  });

  it('fires late, once, what came due while no process ran', async () => {
    const clock = world();
    const { fired, fire } = recorder();
    const before = clock.process(fire);
    await clock.change({ set: 'night', at: at(3), topic: 't' });
    await before.stop();
    clock.let(100);
    const [one, two] = [clock.process(fire), clock.process(fire)];
    await Promise.all([one.fireDue(), two.fireDue()]);
    await Promise.all([one.fireDue(), two.fireDue()]);
    expect(fired).toEqual(['night 97h late']);
  });

  it('fires once more at the instant that the last firing names, as schedules are', async () => {
    const clock = world();
    const { fired, fire } = recorder([{ again: new Date(at(5)) }, { again: new Date(at(9)) }]);
    const { fireDue } = clock.process(fire);
    await clock.change({ set: 'nightly', at: at(1), topic: 't' });
    for (const hours of [1, 4.99, 6, 9]) {
      clock.let(hours);
      await fireDue();
      await fireDue();
    }
    expect(fired).toEqual(['nightly 0h late', 'nightly 1h late', 'nightly 0h late']);
  });

  it('asks again for what cannot be said yet and for what failed, with growing pauses', async () => {
    const clock = world();
    const { fired, fire } = recorder(['later', 'later']);
    let fail = true;
    const { fireDue } = clock.process((deadline, now) => (fail ? Promise.reject(new Error('Away')) : fire(deadline, now)));
    await clock.change({ set: 'x', at: at(1), topic: 't' });
    clock.let(1);
    expect(await fireDue()).toBe(1);
    expect(await fireDue()).toBe(0);
    fail = false;
    for (const hours of [2, 3, 4]) {
      clock.let(hours);
      await fireDue();
    }
    expect([fired, await fireDue()]).toEqual([['x 1h late', 'x 2h late', 'x 3h late'], 0]);
  });
});
