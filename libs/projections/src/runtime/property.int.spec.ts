import type { NewEvent } from '@app/event-store';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eventually, ProjectionBench } from '../testing/bench';
import { ALL, foldOf } from '../testing/tasks';

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((s) => !s.includes('\0'));
const event: fc.Arbitrary<NewEvent> = fc.oneof(
  fc
    .record({ title: text, tags: fc.array(text, { maxLength: 3 }), size: fc.double({ noNaN: true, noDefaultInfinity: true }) })
    .map((data) => ({ type: 'TaskOpened', data: { ...data, size: data.size || 0 } })),
  fc.option(fc.constantFrom('ada', 'bob', 'eve')).map((to) => ({ type: 'TaskAssigned', data: { to } })),
  fc
    .record({
      size: fc.integer(),
      details: fc.oneof(text, fc.boolean(), fc.array(fc.integer()), fc.dictionary(fc.constantFrom('a', 'bb', 'ü'), text)),
    })
    .map((data) => ({ type: 'TaskMeasured', data })),
  fc.constant({ type: 'TaskDropped', data: {} }),
);
/** Appends of a few events to one of few tasks; after some of them the writer waits, so that batches are cut differently each time. */
const history = fc.array(
  fc.record({ task: fc.integer({ min: 1, max: 4 }), events: fc.array(event, { minLength: 1, maxLength: 4 }), wait: fc.boolean() }),
  { minLength: 1, maxLength: 6 },
);

describe('For any history', () => {
  let bench: ProjectionBench;
  beforeAll(async () => {
    bench = await ProjectionBench.open();
  });
  afterAll(() => bench.close());

  it('[PROJ-011] an incrementally maintained projection equals a rebuilt one, and both equal a pure fold', async () => {
    await bench.runtime();
    const control = bench.control();
    let generation = 1;
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(history, async (appends) => {
        for (const { task, events, wait } of appends) {
          await bench.append(`task-${task}`, ...events);
          if (wait) await bench.settled();
        }
        await bench.settled();
        const log = await bench.log();
        const incremental = await Promise.all(ALL.map((p) => bench.rows(p)));
        expect(incremental).toEqual(ALL.map((p) => foldOf(p, log)));
        // Every history is folded anew into a scratch table; every twentieth goes the whole way with shadow tables and swap.
        for (const { name } of ALL)
          expect(await control.verify(name)).toMatchObject({ ok: true, position: log.at(-1)!.position, differences: [] });
        if (runs++ % 20 > 0) return;
        await control.rebuildAll();
        generation++;
        await eventually(
          () => control.status(),
          (all) => all.every((status) => status.generation === generation && !status.progress),
        );
        expect(await Promise.all(ALL.map((p) => bench.rows(p)))).toEqual(incremental);
      }),
      { numRuns: 100 },
    );
    expect(bench.errors).toEqual([]);
  }, 180_000);
});
