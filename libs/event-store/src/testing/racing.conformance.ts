import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { EventStore } from '../event-store';
import { checkHistory, runProgram, type Program } from './append-race';
import { collect, command, newStream, note } from './samples';

const step = fc.record({
  streams: fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 2 }),
  expected: fc.constantFrom('known', 'known', 'known', 'none', 'any', 'stale'),
  events: fc.integer({ min: 1, max: 3 }),
  guard: fc.option(fc.integer({ min: 0, max: 3 }), { nil: null, freq: 3 }),
});
const program: fc.Arbitrary<Program> = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 6 });

/** Appends that race. */
export const racingContract = (store: () => EventStore) =>
  describe('racing', () => {
    it('[LOG-012] L1: positions and versions are dense and exactly the winners are stored, under any interleaving', async () => {
      await fc.assert(
        fc.asyncProperty(program, async (clients) => {
          const start = await store().head();
          checkHistory(start, await runProgram(store(), clients), await collect(flat(store().readAll(start))), await store().head());
        }),
        { numRuns: 100 },
      );
    });

    it('[LOG-030] of racing appends to one stream exactly those acknowledged are readable', async () => {
      const streamId = newStream();
      const results = await Promise.all(
        Array.from({ length: 1_000 }, (_, i) => store().append([{ streamId, expected: i % 4 === 0 ? 'any' : i % 7, events: [note(`${i}`)] }], [], command())),
      );
      const acknowledged = results.flatMap((result, i) => (result.ok ? [`${i} at ${result.position}`] : []));
      const stored = (await collect(store().read(streamId))).map(({ data, position }) => `${(data as { text: string }).text} at ${position}`);
      expect(results.some((result) => !result.ok)).toBe(true);
      expect(new Set(stored)).toEqual(new Set(acknowledged));
      expect(stored).toHaveLength(acknowledged.length);
    });
  });

async function* flat<T>(pages: AsyncIterable<readonly T[]>) {
  for await (const page of pages) yield* page;
}
