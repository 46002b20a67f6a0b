import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Recorded } from '@app/kernel';
import type { Handler } from './delivery';
import { SLICES, sliceOf } from './slices';
import type { Subscription } from './subscription';
import { recordEffects } from './testing/record-effects';
import { gate, until } from './testing/until';
import { consumerWorld, positionsOf, upTo } from './testing/world';

const STREAMS = Array.from({ length: 60 }, (_, n) => `note-${n}`);

describe('a sliced consumer', () => {
  let world: Awaited<ReturnType<typeof consumerWorld>>;
  let head = 0n;
  const append = async (...streamIds: string[]) => {
    await world.append(...streamIds);
    head += BigInt(streamIds.length);
  };
  const shares = (...subscriptions: Subscription[]) => subscriptions.map((subscription) => subscription.status().length);
  const shared = (subscriptions: Subscription[], ...sizes: number[]) =>
    until(
      () => shares(...subscriptions).sort((a, b) => b - a),
      (now) => String(now) === String(sizes),
    );

  beforeAll(async () => {
    world = await consumerWorld();
  });
  afterAll(() => world.close());

  it('[LOG-040] spreads its streams over 32 slices and processes come and go, yet no two events of one stream are ever handled at once', async () => {
    const busy = new Set<string>();
    const overlaps: string[] = [];
    const handled: { event: Recorded; by: string; slice: number }[] = [];
    const handler =
      (by: string): Handler =>
      async (events, tx, delivery) => {
        const streams = new Set(events.map(({ streamId }) => streamId));
        for (const streamId of streams) if (busy.has(streamId)) overlaps.push(streamId);
        for (const streamId of streams) busy.add(streamId);
        await setImmediate();
        await recordEffects('spread', by)(events, tx, delivery);
        handled.push(...events.map((event) => ({ event, by, slice: delivery.slice })));
        for (const streamId of streams) busy.delete(streamId);
      };
    const process = (by: string) =>
      world.member({ owner: by }).consumers.subscribe({ name: 'spread', sliced: true, batchSize: 3, handler: handler(by) });
    const appendSome = async () => {
      for (let n = 0; n < 10; n++) await append(...STREAMS, ...STREAMS.slice(n, n + 5));
    };

    const a = process('a');
    await appendSome();
    await shared([a], 32);
    const b = process('b');
    await appendSome();
    await shared([a, b], 16, 16);
    const c = process('c');
    await appendSome();
    await shared([a, b, c], 11, 11, 10);
    await a.stop();
    await appendSome();
    await shared([b, c], 16, 16);

    const effects = await until(
      () => world.effects('spread'),
      ({ length }) => length >= Number(head),
    );
    expect(overlaps).toEqual([]);
    expect([...effects].sort((x, y) => Number(x - y))).toEqual(upTo(head));
    expect(new Set(handled.map(({ by }) => by))).toEqual(new Set(['a', 'b', 'c']));
    expect(handled.every(({ event, slice }) => slice === sliceOf(event.streamId))).toBe(true);
    for (const [, events] of Map.groupBy(handled, ({ event }) => event.streamId)) {
      const positions = positionsOf(events.map(({ event }) => event));
      expect(positions).toEqual([...positions].sort((x, y) => Number(x - y)));
    }
    const { rows } = await world.pool.query<{ slices: number }>(
      `SELECT count(*)::int AS slices FROM es_consumer WHERE name = 'spread' AND slice >= 0`,
    );
    expect(rows).toEqual([{ slices: SLICES }]);
    await Promise.all([b.stop(), c.stop()]);
    const { rowCount } = await world.pool.query(`SELECT 1 FROM es_consumer WHERE name = 'spread' AND slice < 0`);
    expect(rowCount).toBe(0);
  });

  it('moves the checkpoints of quiet slices along, so that a restart reads only what is new', async () => {
    const { consumers } = world.member({ ttlMs: 600 });
    const subscription = consumers.subscribe({ name: 'quiet', sliced: true, handler: async () => {} });
    await until(
      () => subscription.status(),
      (slices) => slices.length === SLICES && slices.every(({ position }) => position === head),
    );
    await append('note-1');
    await until(
      () => subscription.status(),
      (slices) => slices.every(({ position }) => position === head),
    );
    await subscription.stop();
  });

  it('goes on in all other slices while one is held up, and stops only the one that meets an event it cannot handle', async () => {
    const stuck = 'note-0';
    const held = gate();
    const seen = new Set<string>();
    const handler: Handler = async (events) => {
      const own = events.some(({ streamId }) => sliceOf(streamId) === sliceOf(stuck));
      if (own) await held.pass();
      if (own) throw new Error('cannot be read');
      for (const { streamId } of events) seen.add(streamId);
    };
    const others = STREAMS.filter((streamId) => sliceOf(streamId) !== sliceOf(stuck));
    const { consumers } = world.member();
    const subscription = consumers.subscribe({
      name: 'stuck',
      sliced: true,
      handler,
      onAlarm: () => undefined,
      failure: { attempts: 1, delayMs: () => 0, then: 'stop' },
    });
    await until(
      () => seen.size,
      (size) => size === others.length,
    );
    held.open();
    await until(
      () => subscription.status().filter(({ state }) => state === 'stopped'),
      ({ length }) => length === 1,
    );
    expect(subscription.status().find(({ state }) => state === 'stopped')).toMatchObject({ slice: sliceOf(stuck) });
    seen.clear();
    await append(...others);
    await until(
      () => seen.size,
      (size) => size === others.length,
    );
    await subscription.stop();
  });
});
