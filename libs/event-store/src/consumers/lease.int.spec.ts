import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { begin, type Transaction } from './database';
import { advance, Leases } from './lease';
import { SLICES } from './slices';
import { until } from './testing/until';
import { consumerWorld } from './testing/world';

describe('leases', () => {
  let world: Awaited<ReturnType<typeof consumerWorld>>;
  beforeAll(async () => {
    world = await consumerWorld();
  });
  afterAll(() => world.close());
  const owner = (ttlMs = 60_000) => new Leases(world.pool, { ttlMs });
  const inTransaction = async (work: (tx: Transaction) => Promise<boolean>) => {
    const connection = await world.pool.connect();
    try {
      await begin(connection, 10_000);
      const result = await work(connection);
      await connection.query(result ? 'COMMIT' : 'ROLLBACK');
      return result;
    } finally {
      connection.release();
    }
  };

  it('have one holder at a time, and a fence that rises with every change of hands', async () => {
    const [a, b] = [owner(), owner()];
    const first = await a.acquire('mail', 0, 7n);
    expect(first).toEqual({ name: 'mail', slice: 0, fence: 1n, position: 7n });
    expect(await b.acquire('mail')).toBeNull();
    expect(await a.renew([first!])).toEqual([first]);
    await world.expire('mail');
    const second = await b.acquire('mail', 0, 99n);
    expect(second).toEqual({ name: 'mail', slice: 0, fence: 2n, position: 7n });
    expect(await a.renew([first!])).toEqual([]);
    expect(await a.position(first!)).toBeNull();
    await a.release([first!]);
    expect(await a.acquire('mail')).toBeNull();
    expect([a.counts, b.counts]).toEqual([
      { acquired: 1, denied: 1, lost: 1 },
      { acquired: 1, denied: 1, lost: 0 },
    ]);
  });

  it('that nobody else took can still be renewed after their time', async () => {
    const a = owner();
    const lease = await a.acquire('late');
    await world.expire('late');
    expect(await a.renew([lease!])).toEqual([lease]);
    expect(await owner().acquire('late')).toBeNull();
  });

  it('are free at once after a release, which wakes whoever stands by', async () => {
    const [a, b] = [owner(), owner()];
    const lease = await a.acquire('handed-over');
    const woken = new Promise<void>((wake) => world.wakes.on('handed-over', wake));
    await until(
      () => world.pool.query(`SELECT 1 FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()`),
      ({ rowCount }) => rowCount === 1,
    );
    await a.release([lease!]);
    await woken;
    expect(await b.acquire('handed-over')).toMatchObject({ fence: 2n });
  });

  it('are dealt out without overlap when many owners take them at the same moment', async () => {
    const owners = Array.from({ length: 8 }, () => owner());
    const slices = Array.from({ length: SLICES }, (_, n) => n);
    await owners[0]!.register('shared', slices, 0n);
    const taken: number[] = [];
    while (taken.length < SLICES) {
      const claims = await Promise.all(owners.map((o) => o.claim('shared', slices, 5)));
      taken.push(...claims.flat().map(({ slice }) => slice));
    }
    expect(taken.sort((x, y) => x - y)).toEqual(slices);
    expect(await owners[0]!.claim('shared', slices, 5)).toEqual([]);
  });

  it('move a checkpoint only from where it stands, and only under the newest fence', async () => {
    const [a, b] = [owner(), owner()];
    const old = (await a.acquire('advancing'))!;
    expect(await inTransaction((tx) => advance(tx, old, 0n, 2n ** 60n))).toBe(true);
    expect(await inTransaction((tx) => advance(tx, old, 0n, 5n))).toBe(false);
    await world.expire('advancing');
    const current = (await b.acquire('advancing'))!;
    expect(current.position).toBe(2n ** 60n);
    expect(await inTransaction((tx) => advance(tx, old, 2n ** 60n, 2n ** 61n))).toBe(false);
    expect(await inTransaction((tx) => advance(tx, current, 2n ** 60n, 2n ** 60n + 1n))).toBe(true);
    expect(await world.checkpoint('advancing')).toBe(2n ** 60n + 1n);
  });

  it('are not kept by a process that froze between its last statement and its commit: the server ends the transaction', async () => {
    const a = owner();
    const lease = (await a.acquire('frozen'))!;
    const frozen = await world.pool.connect();
    frozen.on('error', () => undefined);
    await begin(frozen, 10_000);
    expect(await advance(frozen, lease, 0n, 5n)).toBe(true);
    const expired = world.expire('frozen');
    expect(await owner().acquire('frozen')).toBeNull();
    await expired;
    expect(await owner().acquire('frozen')).toMatchObject({ fence: 2n, position: 0n });
    frozen.release(true);
  });
});
