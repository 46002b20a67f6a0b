import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Handler } from './delivery';
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
});
