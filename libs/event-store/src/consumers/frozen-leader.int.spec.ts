import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compileStore, type Compiled } from '../testing/child-process';
import { recordEffects } from './testing/record-effects';
import { until } from './testing/until';
import { consumerWorld, upTo } from './testing/world';

const TTL_MS = 2_500;

describe('a leader that is frozen', () => {
  let world: Awaited<ReturnType<typeof consumerWorld>>;
  let build: Compiled;
  beforeAll(async () => {
    build = compileStore();
    world = await consumerWorld();
    await world.pool.query('CREATE UNIQUE INDEX ON effect (consumer, position)');
  });
  afterAll(async () => {
    await world.close();
    build.remove();
  });

  const start = (name: string, holds: boolean) => {
    const { host, port, user, database } = world.database;
    return build.run('consumer.js', { input: { connection: { host, port, user, database }, name, ttlMs: TTL_MS, holds } });
  };
  const remainingMs = async (name: string) => {
    const { rows } = await world.pool.query<{ ms: number }>(
      'SELECT extract(epoch FROM expires_at - clock_timestamp())::float8 * 1000 AS ms FROM es_consumer WHERE name = $1',
      [name],
    );
    return rows[0]!.ms;
  };
  const writers = async (name: string) => {
    const { rows } = await world.pool.query<{ by: string }>('SELECT by FROM effect WHERE consumer = $1 ORDER BY position', [name]);
    return rows.map(({ by }) => by);
  };

  it.each([
    { when: 'while it waits for events', name: 'frozen-idle', holds: false },
    { when: 'in the middle of a transaction that locks what its successor needs', name: 'frozen-busy', holds: true },
  ])(
    '[LOG-034] is replaced within the lease time when it is stopped with SIGSTOP $when, and stands by when it wakes',
    async ({ name, holds }) => {
      await world.append('note-1');
      const head = await world.store.head();
      const leader = start(name, holds);
      try {
        await until(
          () => leader.lines,
          ([line]) => line !== undefined,
        );
        expect(leader.lines).toEqual([{ handling: String(head) }]);
        const { consumers, leases } = world.member({ ttlMs: TTL_MS });
        if (!holds)
          await until(
            () => world.checkpoint(name),
            (position) => position === head,
          );
        const standby = consumers.subscribe({ name, handler: recordEffects(name, 'standby') });
        await until(
          () => leases.counts.denied,
          (denied) => denied > 0,
        );
        await until(
          () => remainingMs(name),
          (ms) => ms < 0.85 * TTL_MS,
        );

        leader.process.kill('SIGSTOP');
        const stoppedAt = performance.now();
        await world.append('note-2');
        await until(
          () => writers(name),
          (by) => by.at(-1) === 'standby' && by.length === Number(head) + 1,
        );
        expect(performance.now() - stoppedAt).toBeLessThan(TTL_MS);

        leader.process.kill('SIGCONT');
        leader.process.kill('SIGUSR2');
        await world.append('note-3');
        const before = Array.from({ length: Number(head) }, () => (holds ? 'standby' : 'child'));
        await until(
          () => world.checkpoint(name),
          (position) => position === head + 2n,
        );
        await standby.stop();
        await world.append('note-4');
        leader.process.kill('SIGUSR2');
        await until(
          () => world.checkpoint(name),
          (position) => position === head + 3n,
        );
        expect(await writers(name)).toEqual([...before, 'standby', 'standby', 'child']);
        expect(await world.effects(name)).toEqual(upTo(head + 3n));
      } finally {
        leader.process.kill('SIGKILL');
        await leader.exited;
      }
    },
  );
});
