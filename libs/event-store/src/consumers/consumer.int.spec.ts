import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Recorded } from '@app/kernel';
import type { Handler } from './delivery';
import type { Alarm } from './subscribing';
import { recordEffects } from './testing/record-effects';
import { gate, until } from './testing/until';
import { consumerWorld, positionsOf, upTo } from './testing/world';

describe('a durable subscription', () => {
  let world: Awaited<ReturnType<typeof consumerWorld>>;
  let head = 0n;
  const append = async (...streamIds: string[]) => {
    await world.append(...streamIds);
    head += BigInt(streamIds.length);
  };
  const effectsOf = (consumer: string, count: number | bigint = head) =>
    until(
      () => world.effects(consumer),
      ({ length }) => length >= Number(count),
    );
  const nobody = { handler: async () => {} };

  beforeAll(async () => {
    world = await consumerWorld();
    await append(...Array.from({ length: 40 }, (_, n) => `note-${n % 7}`));
  });
  afterAll(() => world.close());

  it('[LOG-010] delivers history and then what is appended meanwhile, without a hole or a repeat, and goes on from its checkpoint', async () => {
    const { consumers } = world.member();
    const subscribe = () => consumers.subscribe({ name: 'history', handler: recordEffects('history'), batchSize: 7 });
    const first = subscribe();
    for (let n = 0; n < 20; n++) await append('note-live', `note-${n}`, 'note-live');
    await effectsOf('history');
    await first.stop();
    await append('note-while-away');
    const second = subscribe();
    await append('note-back');
    expect(await effectsOf('history')).toEqual(upTo(head));
    expect(
      await until(
        () => world.checkpoint('history'),
        (position) => position === head,
      ),
    ).toBe(head);
    await second.stop();
  });

  it('starts behind the position it is first given, and sees only what its filter lets through', async () => {
    const { consumers } = world.member();
    const late = consumers.subscribe({ name: 'late', from: head - 3n, handler: recordEffects('late') });
    const none = consumers.subscribe({ name: 'none', filter: { types: ['Unheard'] }, handler: recordEffects('none') });
    const all = consumers.subscribe({ name: 'all', filter: { types: ['Noted'] }, handler: recordEffects('all') });
    expect(await effectsOf('late', 3)).toEqual([head - 2n, head - 1n, head]);
    expect(await effectsOf('all')).toEqual(upTo(head));
    expect(await world.effects('none')).toEqual([]);
    await Promise.all([late, none, all].map((subscription) => subscription.stop()));
  });

  it('commits the writes of a handler with its checkpoint, and none of those of a handler that failed', async () => {
    const { consumers } = world.member();
    let failures = 3;
    const handler: Handler = async (events, tx, delivery) => {
      await recordEffects('failing')(events, tx, delivery);
      if (failures-- > 0) throw new Error('not now');
    };
    const subscription = consumers.subscribe({ name: 'failing', handler, failure: { attempts: 5, delayMs: () => 1, then: 'stop' } });
    expect(await effectsOf('failing')).toEqual(upTo(head));
    await subscription.stop();
  });

  it('stands by while another process leads, and takes over at once when that one stops', async () => {
    const [a, b] = [world.member({ ttlMs: 60_000 }), world.member({ ttlMs: 60_000 })];
    const leader = a.consumers.subscribe({ name: 'standby', handler: recordEffects('standby', 'a') });
    await effectsOf('standby');
    const standby = b.consumers.subscribe({ name: 'standby', handler: recordEffects('standby', 'b') });
    await until(
      () => b.leases.counts.denied,
      (denied) => denied > 0,
    );
    expect(standby.status()).toEqual([]);
    await leader.stop();
    await append('note-after');
    expect(await effectsOf('standby')).toEqual(upTo(head));
    expect(standby.status()).toEqual([{ slice: 0, position: head, state: 'running' }]);
    await standby.stop();
  });

  /** The old leader may not take the slice again while it has a batch in hand, so the successor finds it free. */
  it.each([
    { moment: 'before its successor moved the checkpoint', name: 'fenced-early', successorFirst: false },
    { moment: 'after its successor passed it', name: 'fenced-late', successorFirst: true },
  ])('[LOG-033] keeps nothing of a batch whose lease was lost meanwhile and that ends $moment', async ({ name, successorFirst }) => {
    const held = gate();
    const [old, current] = [world.member({ ttlMs: 60_000 }), world.member({ ttlMs: 60_000 })];
    const handler: Handler = async (events, tx, delivery) => {
      await recordEffects(name, 'old')(events, tx, delivery);
      await held.pass();
    };
    const stale = old.consumers.subscribe({ name, handler, batchSize: 10 });
    await held.reached;
    await world.expire(name);
    const lease = (await current.leases.acquire(name))!;
    const succeed = async () => {
      await current.leases.release([lease]);
      const fresh = current.consumers.subscribe({ name, handler: recordEffects(name, 'new'), batchSize: 10 });
      await until(
        () => world.checkpoint(name),
        (position) => position === head,
      );
      return fresh;
    };
    const early = successorFirst ? await succeed() : undefined;
    held.open();
    await until(
      () => stale.status(),
      ([slice]) => slice === undefined || slice.state === 'closed',
    );
    expect(await world.checkpoint(name)).toBe(successorFirst ? head : 0n);
    await stale.stop();
    const fresh = early ?? (await succeed());
    const { rows } = await world.pool.query<{ by: string; n: number }>(
      'SELECT by, count(*)::int AS n FROM effect WHERE consumer = $1 GROUP BY by',
      [name],
    );
    expect(rows).toEqual([{ by: 'new', n: Number(head) }]);
    expect(await world.effects(name)).toEqual(upTo(head));
    await fresh.stop();
  });

  it('goes on where it was when every connection is cut in the middle of a batch', async () => {
    const held = gate();
    const alarms: Alarm[] = [];
    const seen: bigint[][] = [];
    const handler: Handler = async (events, tx, delivery) => {
      seen.push(positionsOf(events));
      await recordEffects('cut')(events, tx, delivery);
      await held.pass();
    };
    const { consumers } = world.member();
    const subscription = consumers.subscribe({ name: 'cut', handler, batchSize: 10, onAlarm: (alarm) => alarms.push(alarm) });
    await held.reached;
    await world.pool.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    held.open();
    expect(await effectsOf('cut')).toEqual(upTo(head));
    expect(seen.slice(0, 2)).toEqual([upTo(10), upTo(10)]);
    expect(alarms.map(({ kind }) => kind)).toContain('interrupted');
    await subscription.stop();
  });

  it('lets the batch in hand finish when it is stopped, longer than a lease lasts', async () => {
    const held = gate();
    const [a, b] = [world.member({ ttlMs: 1_000 }), world.member({ ttlMs: 1_000 })];
    const seen: Recorded[] = [];
    const leader = a.consumers.subscribe({
      name: 'graceful',
      handler: async (events) => {
        await held.pass();
        seen.push(...events);
      },
    });
    await held.reached;
    const standby = b.consumers.subscribe({ name: 'graceful', ...nobody });
    const stopped = leader.stop();
    await until(
      () => b.leases.counts.denied,
      (denied) => denied > 4,
    );
    expect(standby.status()).toEqual([]);
    held.open();
    await stopped;
    expect(await world.checkpoint('graceful')).toBe(seen.at(-1)!.position);
    await standby.stop();
  });
});
