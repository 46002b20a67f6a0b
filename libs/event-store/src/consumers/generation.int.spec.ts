import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Recorded } from '@app/kernel';
import type { ReadOptions } from '../event-store';
import { PostgresEventStore } from '../postgres/postgres.event-store';
import { catalogue } from '../testing/samples';
import type { Handler } from './delivery';
import type { Alarm } from './subscribing';
import { recordEffects } from './testing/record-effects';
import { gate, until } from './testing/until';
import { consumerWorld, positionsOf, upTo } from './testing/world';

/** The real log. But its first follower gets the second page late, whatever became of the follower, and the second one has to wait at all. */
class LateLog extends PostgresEventStore {
  readonly late = gate();
  readonly second = gate();
  readonly discarded = Promise.withResolvers<void>();
  private followers = 0;

  override follow(after: bigint, options: ReadOptions = {}): AsyncIterable<readonly Recorded[]> {
    return this.followers++ === 0 ? this.followLate(after) : this.followSecond(after, options);
  }

  private async *followLate(after: bigint) {
    const end = new AbortController();
    let pages = 0;
    try {
      for await (const page of super.follow(after, { signal: end.signal })) {
        if (pages++ > 0) await this.late.pass();
        yield page;
      }
    } finally {
      end.abort();
      this.discarded.resolve();
    }
  }

  private async *followSecond(after: bigint, options: ReadOptions) {
    await this.second.pass();
    yield* super.follow(after, options);
  }
}

/** The real log, damaged for its first follower: position 2 is missing. */
class DamagedLog extends PostgresEventStore {
  private followers = 0;

  override async *follow(after: bigint, options: ReadOptions = {}) {
    const isFirst = this.followers++ === 0;
    for await (const page of super.follow(after, options)) yield isFirst ? page.filter(({ position }) => position !== 2n) : page;
  }
}

describe('a subscription that began anew', () => {
  let world: Awaited<ReturnType<typeof consumerWorld>>;
  let store: LateLog;
  beforeAll(async () => {
    world = await consumerWorld();
    store = await new LateLog({ connection: world.database, catalogue }).start();
  });
  afterAll(async () => {
    await store.close();
    await world.close();
  });

  it('[LOG-037] discards what its earlier generation delivers late, though it lies ahead of the new one', async () => {
    const held = gate();
    const seen: { fence: bigint; positions: bigint[] }[] = [];
    const handler: Handler = async (events, tx, delivery) => {
      await held.pass();
      seen.push({ fence: delivery.fence, positions: positionsOf(events) });
      await recordEffects('late')(events, tx, delivery);
    };
    const { consumers, leases } = world.member({ store });
    await world.append('note-1', 'note-2', 'note-1');
    const subscription = consumers.subscribe({ name: 'late', handler });
    await held.reached;
    await world.append('note-1', 'note-2', 'note-1');
    await store.late.reached;

    await world.expire('late');
    const other = world.member().leases;
    await other.release([(await other.acquire('late'))!]);
    await until(
      () => leases.counts.lost,
      (lost) => lost === 1,
    );
    held.open();
    await store.second.reached;
    store.late.open();
    await store.discarded.promise;
    store.second.open();

    await until(
      () => world.checkpoint('late'),
      (position) => position === 6n,
    );
    expect(seen.filter(({ fence }) => fence === 3n).flatMap(({ positions }) => positions)).toEqual(upTo(6));
    expect(await world.effects('late')).toEqual(upTo(6));
    await subscription.stop();
  });

  it('handles nothing behind a hole in the log, raises an alarm and looks again', async () => {
    const damaged = await new DamagedLog({ connection: world.database, catalogue }).start();
    const alarms: Alarm[] = [];
    const { consumers } = world.member({ store: damaged });
    const subscription = consumers.subscribe({ name: 'hole', handler: recordEffects('hole'), onAlarm: (alarm) => alarms.push(alarm) });
    const head = await world.store.head();
    await until(
      () => world.checkpoint('hole'),
      (position) => position === head,
    );
    expect(alarms).toMatchObject([{ kind: 'gap', consumer: 'hole', error: { expected: 2n, found: 3n } }]);
    expect(await world.effects('hole')).toEqual(upTo(head));
    await subscription.stop();
    await damaged.close();
  });
});
