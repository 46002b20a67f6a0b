import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from './database';
import { UNCONCERNED, type Handler } from './delivery';
import { recordEffects } from './testing/record-effects';
import { gate, until } from './testing/until';
import { consumerWorld, positionsOf, upTo } from './testing/world';

describe('a consumer that many events do not concern', () => {
  let world: Awaited<ReturnType<typeof consumerWorld>>;
  let head = 0n;
  const append = async (...streamIds: string[]) => {
    await world.append(...streamIds);
    head += BigInt(streamIds.length);
  };
  /** Records the events of `note-mine`, and tells when it has seen an event. */
  const choosy = (name: string, by: string) => {
    const seen: bigint[] = [];
    const handler: Handler = async (events, tx, delivery) => {
      seen.push(...positionsOf(events));
      const mine = events.filter(({ streamId }) => streamId === 'note-mine');
      return mine.length === 0 ? UNCONCERNED : recordEffects(name, by)(mine, tx, delivery);
    };
    return { seen, handler, reached: (position: bigint) => until(() => seen.at(-1), (last) => last === position) };
  };

  beforeAll(async () => {
    world = await consumerWorld();
  });
  afterAll(() => world.close());

  it('moves its checkpoint with an effect, after a second, or when it stops, and has each effect once', async () => {
    let moves = 0;
    const query: Database['query'] = (text, values) => {
      if (text.startsWith('UPDATE es_consumer SET position')) moves++;
      return world.pool.query(text, values);
    };
    const { consumers } = world.member({ db: { connect: () => world.pool.connect(), query } });
    const { handler, reached } = choosy('choosy', 'a');
    const subscription = consumers.subscribe({ name: 'choosy', handler });
    await append('note-mine');
    await until(() => world.checkpoint('choosy'), (position) => position === head);
    const from = performance.now();
    for (let nr = 0; nr < 20; nr++) {
      await append('note-other');
      await reached(head);
    }
    expect(moves).toBeLessThanOrEqual((performance.now() - from) / 1_000);
    await append('note-mine');
    await until(() => world.checkpoint('choosy'), (position) => position === head);
    await append('note-other');
    await until(() => world.checkpoint('choosy'), (position) => position === head);
    await append('note-other');
    await reached(head);
    await subscription.stop();
    expect(await world.checkpoint('choosy')).toBe(head);
    expect(await world.effects('choosy')).toEqual([1n, 22n]);
  });

  it('keeps nothing that it does on top of an unstored checkpoint once its lease is lost', async () => {
    const [old, current] = [world.member({ ttlMs: 60_000 }), world.member({ ttlMs: 60_000 })];
    const { handler, reached } = choosy('fenced', 'old');
    const held = gate();
    const stale = old.consumers.subscribe({
      name: 'fenced', from: head,
      handler: async (events, tx, delivery) => {
        const said = await handler(events, tx, delivery);
        if (said !== UNCONCERNED) await held.pass();
        return said;
      },
    });
    await append('note-other');
    await reached(head);
    await append('note-mine');
    await held.reached;
    await world.expire('fenced');
    await current.leases.release([(await current.leases.acquire('fenced'))!]);
    const fresh = current.consumers.subscribe({ name: 'fenced', handler: choosy('fenced', 'new').handler });
    await until(() => world.checkpoint('fenced'), (position) => position === head);
    held.open();
    await until(() => stale.status(), ([slice]) => slice === undefined || slice.state === 'closed');
    const { rows } = await world.pool.query<{ by: string; n: number }>(`SELECT by, count(*)::int AS n FROM effect WHERE consumer = 'fenced' GROUP BY by`);
    expect(rows).toEqual([{ by: 'new', n: 1 }]);
    await Promise.all([stale.stop(), fresh.stop()]);
  });

  it('handles together what comes together, where it has the time', async () => {
    const { consumers } = world.member();
    const batches: bigint[][] = [];
    const handler: Handler = async (events, tx, delivery) => {
      batches.push(positionsOf(events));
      await recordEffects('patient')(events, tx, delivery);
    };
    const subscription = consumers.subscribe({ name: 'patient', from: head, gatherMs: 60_000, batchSize: 4, handler });
    await until(() => subscription.status(), ({ length }) => length === 1);
    const from = head;
    await append('note-1');
    await append('note-2');
    await append('note-3');
    await append('note-4');
    await until(() => world.checkpoint('patient'), (position) => position === head);
    expect(batches).toEqual([upTo(head).slice(Number(from))]);
    await subscription.stop();
  });
});
