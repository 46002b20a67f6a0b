import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Recorded } from '@app/kernel';
import { StoreUnavailable } from './errors';
import { LogReader, type LogReaderOptions } from './log-reader';
import type { PageRequest } from './log-source';
import { RecentPages } from './recent-pages';

const eventAt = (position: bigint) => ({ position, type: position % 3n === 0n ? 'Third' : 'Other' }) as Recorded;

/** A log that only counts, and remembers what it was asked. */
const countingLog = (options: LogReaderOptions = {}) => {
  const log = { head: 0n, asked: [] as PageRequest[], failing: false };
  const source = {
    page: async (request: PageRequest) => {
      log.asked.push(request);
      await Promise.resolve();
      if (log.failing) throw new StoreUnavailable('gone');
      const events: Recorded[] = [];
      for (let position = request.after + 1n; position <= log.head && events.length < request.limit; position++) events.push(eventAt(position));
      return { events, reached: events.at(-1)?.position ?? request.after, head: log.head, bytes: events.length * 100 };
    },
  };
  const reader = new LogReader(source, () => Promise.resolve(log.head), { poll: null, ...options });
  const grow = (by: number) => { log.head += BigInt(by); reader.wake(); };
  return { log, reader, grow };
};

const follow = async (reader: LogReader, after: bigint, last: () => bigint, onPage: (seen: bigint) => Promise<void> = () => Promise.resolve()) => {
  const seen: bigint[] = [];
  for await (const page of reader.follow(after, { pageSize: 5 })) {
    seen.push(...page.map(({ position }) => position));
    if (seen.at(-1)! >= last()) break;
    await onPage(seen.at(-1)!);
  }
  return seen;
};
const range = (after: bigint, last: bigint) => Array.from({ length: Number(last - after) }, (_, i) => after + BigInt(i + 1));
const tick = () => new Promise(setImmediate);

describe('the log reader', () => {
  it('asks for each part of the log once, whatever the number of followers', async () => {
    const { log, reader, grow } = countingLog();
    const followers = Array.from({ length: 50 }, () => follow(reader, 0n, () => 100n));
    for (let i = 0; i < 10; i++) {
      await tick();
      grow(10);
    }
    for (const seen of await Promise.all(followers)) expect(seen).toEqual(range(0n, 100n));
    const starts = log.asked.map(({ after }) => after);
    expect(starts.length).toBeLessThanOrEqual(25);
    expect(starts).toEqual(starts.toSorted((a, b) => (a < b ? -1 : 1)));
  });

  it('hands over from history to memory without a hole or a repeat, wherever a follower begins and however slow it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ after: fc.integer({ min: 0, max: 60 }), slowness: fc.integer({ min: 0, max: 3 }) }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 30 }),
        async (followers, growth, maxEvents) => {
          const { log, reader, grow } = countingLog({ maxEvents });
          log.head = 60n;
          const last = 60n + BigInt(growth.reduce((sum, by) => sum + by));
          const running = followers.map(({ after, slowness }) =>
            follow(reader, BigInt(after), () => last, async () => { for (let i = 0; i < slowness; i++) await tick(); }));
          for (const by of growth) {
            await tick();
            grow(by);
          }
          expect(await Promise.all(running)).toEqual(followers.map(({ after }) => range(BigInt(after), last)));
          reader.close();
        },
      ),
      { numRuns: 200 },
    );
  });

  it('waits out an outage, and tells of it once', async () => {
    const alarms: Error[] = [];
    const { log, reader, grow } = countingLog({ onAlarm: (alarm) => alarms.push(alarm) });
    const following = follow(reader, 0n, () => 4n);
    grow(2);
    await tick();
    log.failing = true;
    for (let i = 0; i < 5; i++) {
      grow(0);
      await tick();
    }
    log.failing = false;
    grow(2);
    expect(await following).toEqual([1n, 2n, 3n, 4n]);
    expect(alarms.map(({ message }) => message)).toEqual(['gone']);
  });

  it('rests while nobody follows, and begins anew at the head', async () => {
    const { log, reader, grow } = countingLog();
    grow(3);
    await tick();
    expect(log.asked).toEqual([]);
    const first = follow(reader, 3n, () => 4n);
    await tick();
    grow(1);
    await first;
    await tick();
    const asked = log.asked.length;
    for (let i = 0; i < 5; i++) {
      grow(1_000);
      await tick();
    }
    expect(log.asked).toHaveLength(asked);
    const second = follow(reader, 5_004n, () => 5_005n);
    await tick();
    grow(1);
    expect(await second).toEqual([5_005n]);
    expect(log.asked.slice(asked).every(({ after }) => after >= 5_004n)).toBe(true);
  });
});

describe('the recent pages', () => {
  const page = (after: bigint, count: number, bytes: number) => {
    const events = range(after, after + BigInt(count)).map(eventAt);
    return { events, reached: after + BigInt(count), head: 0n, bytes };
  };

  it('keep no more events and bytes than allowed', () => {
    const byCount = new RecentPages({ maxEvents: 10 });
    for (let i = 0n; i < 20n; i++) byCount.add(i * 4n, page(i * 4n, 4, 1));
    expect(byCount.after(71n, 100)).toBeUndefined();
    expect(byCount.after(72n, 100)?.events.map(({ position }) => position)).toEqual(range(72n, 80n));
    const bySize = new RecentPages({ maxBytes: 100 });
    bySize.add(0n, page(0n, 4, 60));
    bySize.add(4n, page(4n, 4, 60));
    expect(bySize.after(3n, 100)).toBeUndefined();
    expect(bySize.after(4n, 100)?.reached).toBe(8n);
    bySize.add(8n, page(8n, 4, 600));
    expect(bySize.after(8n, 100)).toBeUndefined();
  });

  it('give up to a limit from any position in them', () => {
    const pages = new RecentPages();
    pages.add(10n, page(10n, 3, 1));
    pages.add(13n, page(13n, 1, 1));
    pages.add(14n, page(14n, 5, 1));
    for (let after = 10n; after < 19n; after++) {
      for (let limit = 1; limit < 12; limit++) {
        expect(pages.after(after, limit)?.events.map(({ position }) => position)).toEqual(range(after, 19n).slice(0, limit));
      }
    }
    expect([pages.after(9n, 5), pages.after(19n, 5), pages.after(30n, 5)]).toEqual([undefined, undefined, undefined]);
  });
});
