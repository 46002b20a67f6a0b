import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Recorded } from '@app/kernel';
import type { ReadOptions } from '../event-store';
import { PostgresEventStore } from '../postgres/postgres.event-store';
import type { Handler } from './delivery';
import { NOTES } from './testing/notes';
import { gate, until } from './testing/until';
import { consumerWorld, positionsOf, recordEffects, upTo } from './testing/world';

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

describe('a subscription that began anew', () => {
  let world: Awaited<ReturnType<typeof consumerWorld>>;
  beforeAll(async () => { world = await consumerWorld(); });
  afterAll(() => world.close());

  it('[LOG-037] discards what its earlier generation delivers late, though it lies ahead of the new one', async () => {
    const store = await new LateLog({ connection: world.database, catalogue: NOTES }).start();
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
    await until(() => leases.counts.acquired, (acquired) => acquired === 2);
    held.open();
    await store.second.reached;
    store.late.open();
    await store.discarded.promise;
    store.second.open();

    await until(() => world.checkpoint('late'), (position) => position === 6n);
    expect(seen.filter(({ fence }) => fence === 3n).flatMap(({ positions }) => positions)).toEqual(upTo(6));
    expect(await world.effects('late')).toEqual(upTo(6));
    await subscription.stop();
    await store.close();
  });
});
