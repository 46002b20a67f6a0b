import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Handler } from './delivery';
import { parkedEvents, retryParkedEvent } from './parked-events';
import type { Alarm } from './subscribing';
import { recordEffects } from './testing/record-effects';
import { until } from './testing/until';
import { consumerWorld, positionsOf, upTo } from './testing/world';

describe('a consumer that meets an event it cannot handle', () => {
  let world: Awaited<ReturnType<typeof consumerWorld>>;
  const head = 40n;
  const effectsOf = (consumer: string, count = head) =>
    until(
      () => world.effects(consumer),
      ({ length }) => length >= Number(count),
    );

  beforeAll(async () => {
    world = await consumerWorld();
    await world.append(...Array.from({ length: Number(head) }, (_, n) => `note-${n % 7}`));
  });
  afterAll(() => world.close());

  it('stops before an event that keeps failing, names it in an alarm, keeps the lease, and goes on when it is subscribed anew', async () => {
    const alarms: Alarm[] = [];
    const [a, b] = [world.member({ owner: 'poisoned' }), world.member()];
    const handler: Handler = async (events, tx, delivery) => {
      if (positionsOf(events).includes(20n)) throw new Error('cannot be read');
      await recordEffects('poison')(events, tx, delivery);
    };
    const options = { name: 'poison', failure: { attempts: 3, delayMs: () => 1, then: 'stop' as const } };
    const stopped = a.consumers.subscribe({ ...options, handler, onAlarm: (alarm) => alarms.push(alarm) });
    await until(
      () => stopped.status(),
      ([slice]) => slice?.state === 'stopped',
    );
    const standby = b.consumers.subscribe({ ...options, handler });
    expect(await world.effects('poison')).toEqual(upTo(19));
    expect(stopped.status()).toEqual([{ slice: 0, position: 19n, state: 'stopped' }]);
    expect(alarms).toMatchObject([{ kind: 'poison', consumer: 'poison', event: { position: 20n }, attempts: 3, action: 'stop' }]);
    await until(
      () => b.leases.counts.denied,
      (denied) => denied > 0,
    );
    await Promise.all([stopped.stop(), standby.stop()]);

    const repaired = a.consumers.subscribe({ ...options, handler: recordEffects('poison') });
    expect(await effectsOf('poison')).toEqual(upTo(head));
    await repaired.stop();
  });

  it('can be told to skip what keeps failing, with an alarm', async () => {
    const alarms: Alarm[] = [];
    const handler: Handler = async (events, tx, delivery) => {
      await recordEffects('skipping')(events, tx, delivery);
      if (positionsOf(events).includes(20n)) throw new Error('cannot be read');
    };
    const failure = { attempts: 2, delayMs: () => 1, then: 'skip' as const };
    const subscription = world.member().consumers.subscribe({ name: 'skipping', handler, failure, onAlarm: (alarm) => alarms.push(alarm) });
    expect(await effectsOf('skipping', head - 1n)).toEqual(upTo(head).filter((position) => position !== 20n));
    expect(alarms).toMatchObject([{ kind: 'poison', event: { position: 20n }, action: 'skip' }]);
    await subscription.stop();
  });

  describe('and goes on without it', () => {
    const failure = { attempts: 2, delayMs: () => 1, then: 'park' as const };
    const parked = () => parkedEvents(world.pool, 10);
    const without20 = upTo(head).filter((position) => position !== 20n);

    it('[PROC-007] handles the next events, and the parked one when its fault is gone, once, in whichever process leads then', async () => {
      const alarms: Alarm[] = [];
      let broken = true;
      const handler: Handler = async (events, tx, delivery) => {
        await recordEffects('parking')(events, tx, delivery);
        if (broken && positionsOf(events).includes(20n)) throw new Error('cannot be read yet');
      };
      const first = world.member().consumers.subscribe({ name: 'parking', handler, failure, onAlarm: (alarm) => alarms.push(alarm) });
      expect(await effectsOf('parking', head - 1n)).toEqual(without20);
      expect(alarms).toMatchObject([{ kind: 'poison', event: { position: 20n }, action: 'park' }]);
      expect(await parked()).toMatchObject([{ consumer: 'parking', position: 20n, attempts: 2, error: 'Error: cannot be read yet' }]);
      await first.stop();

      broken = false;
      expect(await retryParkedEvent(world.pool, 'parking', 20n)).toBe(true);
      const second = world.member().consumers.subscribe({ name: 'parking', handler, failure });
      expect(await effectsOf('parking')).toEqual([...without20, 20n]);
      await until(parked, ({ length }) => length === 0);
      await second.stop();
      expect(await retryParkedEvent(world.pool, 'parking', 20n)).toBe(false);
    });

    it('ends at once when it is stopped while it looks for parked events, and does not wait for the next renewal of its lease', async () => {
      const [looking, looked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const query = async (text: string, values?: unknown[]) => {
        if (text.includes('FROM es_parked_event')) {
          looking.resolve();
          await looked.promise;
        }
        return world.pool.query(text, values);
      };
      const { consumers, leases } = world.member({ ttlMs: 600_000, db: { query: query as never, connect: () => world.pool.connect() } });
      const subscription = consumers.subscribe({ name: 'stopped-while-looking', handler: recordEffects('stopped-while-looking'), failure });
      await looking.promise;
      const stopped = subscription.stop();
      looked.resolve();
      await stopped;
      expect(await leases.acquire('stopped-while-looking')).toMatchObject({ fence: 2n });
    });

    it('[PROC-007] puts off one that fails again, writes nothing of it, and loses it in no restart', async () => {
      const handler: Handler = async (events, tx, delivery) => {
        await recordEffects('doomed')(events, tx, delivery);
        if (positionsOf(events).includes(20n)) throw new Error('never');
      };
      for (const attempts of [2, 3, 4]) {
        const subscription = world.member().consumers.subscribe({ name: 'doomed', handler, failure });
        const [event] = await until(parked, ([found]) => found?.attempts === attempts);
        expect(event!.nextTryAt.getTime()).toBeGreaterThan(event!.parkedAt.getTime());
        await subscription.stop();
        await retryParkedEvent(world.pool, 'doomed', 20n);
      }
      expect(await world.effects('doomed')).toEqual(without20);
    });
  });
});
