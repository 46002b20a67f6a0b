import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { pgBouncer, type PgBouncer } from './testing/pgbouncer';
import { recordEffects } from './testing/record-effects';
import { until } from './testing/until';
import { consumerWorld, upTo } from './testing/world';

describe('consumers behind a PgBouncer in transaction mode', () => {
  let world: Awaited<ReturnType<typeof consumerWorld>>;
  let bouncer: PgBouncer;
  let pools: Pool[];
  beforeAll(async () => {
    world = await consumerWorld();
    bouncer = await pgBouncer(world.database, 2);
    const { host, port, user, database } = bouncer;
    pools = [1, 2].map(() => new Pool({ host, port, user, database }).on('error', () => undefined));
  });
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await bouncer.stop();
    await world.close();
  });

  it('[LOG-035] have one leader by its lease row, where a session lock is held by two processes at once', async () => {
    const [one, two] = pools as [Pool, Pool];
    const locks = [];
    for (const pool of [one, two]) locks.push(await pool.query<{ locked: boolean }>('SELECT pg_try_advisory_lock(4711) AS locked'));
    expect(locks.map(({ rows }) => rows[0]?.locked)).toEqual([true, true]);

    const [a, b] = [world.member({ db: one, ttlMs: 60_000 }), world.member({ db: two, ttlMs: 60_000 })];
    const subscribe = ({ consumers }: typeof a, by: string) =>
      consumers.subscribe({ name: 'pooled', handler: recordEffects('pooled', by), batchSize: 2, onAlarm: () => undefined });
    const append = (count: number) => world.append(...Array.from({ length: count }, () => 'note-1'));
    const handledBy = async () =>
      (await world.pool.query<{ by: string }>(`SELECT by FROM effect WHERE consumer = 'pooled' ORDER BY n`)).rows
        .map(({ by }) => by)
        .join('');
    const reached = async () => {
      const head = await world.store.head();
      await until(
        () => world.checkpoint('pooled'),
        (position) => position === head,
      );
    };

    const first = subscribe(a, 'a');
    await until(
      () => first.status(),
      ({ length }) => length === 1,
    );
    const second = subscribe(b, 'b');
    await append(6);
    await reached();
    await until(
      () => b.leases.counts.denied,
      (denied) => denied > 0,
    );

    await world.expire('pooled');
    const third = world.member({ db: two, ttlMs: 60_000 });
    const stolen = await third.leases.acquire('pooled');
    expect(stolen).toMatchObject({ fence: 2n });
    await append(1);
    await until(
      () => first.status(),
      ({ length }) => length === 0 || first.status()[0]?.state === 'closed',
    );
    expect(await world.checkpoint('pooled')).toBe(6n);

    await first.stop();
    await third.leases.release([stolen!]);
    await reached();
    expect(await handledBy()).toBe('aaaaaab');
    expect(await world.effects('pooled')).toEqual(upTo(7));
    await second.stop();
  });
});
