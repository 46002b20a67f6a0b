import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Consumers } from './consumer';
import type { Handler } from './delivery';
import { Leases } from './lease';
import { MortalDatabase } from './testing/mortal-database';
import { recordEffects } from './testing/record-effects';
import { until } from './testing/until';
import { consumerWorld, positionsOf, upTo } from './testing/world';

describe('a consumer whose process dies', () => {
  let world: Awaited<ReturnType<typeof consumerWorld>>;
  beforeAll(async () => {
    world = await consumerWorld();
  });
  afterAll(() => world.close());

  /** A process that will not survive its n-th await point. It is never stopped: the dead do not tidy up. */
  const mortal = (diesAt: number) => {
    const db = new MortalDatabase(world.pool, diesAt);
    return { db, consumers: new Consumers(world.store, db, new Leases(db, { ttlMs: 60_000 }), { onAlarm: () => undefined }) };
  };
  const reachedOrDead = (consumer: string, position: bigint, db?: MortalDatabase) =>
    until(
      () => world.checkpoint(consumer),
      (at) => at === position || db?.isDead === true,
    );

  it('[LOG-036] leaves no event unhandled, at whichever point between reading, effect and checkpoint it dies', async () => {
    await world.append(...Array.from({ length: 12 }, (_, n) => `note-${n % 3}`));
    const head = await world.store.head();
    let survived = false;
    let deaths = 0;
    for (let diesAt = 1; !survived; diesAt++) {
      for (const kind of ['outside', 'inside'] as const) {
        const name = `${kind}-${diesAt}`;
        const outside: bigint[] = [];
        const { db, consumers } = mortal(diesAt);
        const handler =
          (point: () => Promise<void>): Handler =>
          async (events, tx, delivery) => {
            await point();
            outside.push(...positionsOf(events));
            await point();
            if (kind === 'inside') await recordEffects(name)(events, tx, delivery);
            await point();
          };
        const first = consumers.subscribe({ name, handler: handler(() => db.point()), batchSize: 5 });
        await Promise.race([db.died, reachedOrDead(name, head, db).then(() => first.stop())]);
        survived = !db.isDead;
        if (!survived) {
          deaths++;
          await world.expire(name);
          const second = world.member().consumers.subscribe({ name, handler: handler(async () => {}), batchSize: 5 });
          await reachedOrDead(name, head);
          await second.stop();
        }
        expect([...new Set(outside)].sort((a, b) => Number(a - b))).toEqual(upTo(head));
        if (kind === 'inside') expect(await world.effects(name)).toEqual(upTo(head));
      }
    }
    expect(deaths).toBeGreaterThan(40);
  });

  it('[LOG-013] L2: every subscriber receives exactly the log in order, whatever the points at which it stops or dies and starts again', async () => {
    const life = fc.record({
      appends: fc.integer({ min: 1, max: 8 }),
      diesAt: fc.tuple(fc.option(fc.integer({ min: 1, max: 30 }), { freq: 3 }), fc.option(fc.integer({ min: 1, max: 30 }))),
      batchSize: fc.integer({ min: 1, max: 4 }),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 4 }), async (lives) => {
        const from = await world.store.head();
        const names = [`life-${++run}-a`, `life-${run}-b`];
        const live = async (name: string, diesAt: number, batchSize: number, appended: Promise<void>) => {
          const { db, consumers } = mortal(diesAt);
          const subscription = consumers.subscribe({ name, from, handler: recordEffects(name), batchSize });
          await appended;
          const head = await world.store.head();
          await Promise.race([db.died, reachedOrDead(name, head, db).then(() => subscription.stop())]);
          if (db.isDead) await world.expire(name);
        };
        for (const {
          appends,
          diesAt: [a, b],
          batchSize,
        } of [...lives, { appends: 2, diesAt: [null, null], batchSize: 3 }]) {
          const appended = world.append(...Array.from({ length: appends }, (_, n) => `note-${n % 2}`));
          await Promise.all([live(names[0]!, a ?? Infinity, batchSize, appended), live(names[1]!, b ?? Infinity, 5 - batchSize, appended)]);
        }
        const log = upTo(await world.store.head()).filter((position) => position > from);
        for (const name of names) expect(await world.effects(name)).toEqual(log);
      }),
      { numRuns: 100 },
    );
  });
});
