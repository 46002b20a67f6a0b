import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProjectionBench } from '../testing/bench';
import { activity, ALL, foldOf, tasks } from '../testing/tasks';

describe('A live projection', () => {
  let bench: ProjectionBench;
  beforeAll(async () => { bench = await ProjectionBench.open(); });
  afterAll(() => bench.close());

  it('holds what a pure fold of the log holds', async () => {
    await bench.runtime();
    await bench.append('task-1', { type: 'TaskOpened', data: { title: 'Paint "it" \\ {black}', tags: ['a,b', '"q"', 'NULL', '\\'], size: 1.5 } });
    await bench.append('task-1', { type: 'TaskAssigned', data: { to: 'ada' } });
    await bench.append('task-2', { type: 'TaskOpened', data: { title: 'Tab\tNew\nline', tags: [], size: 1e300 } });
    await bench.append('note-1', { type: 'NoteWritten', data: { text: 'n' } });
    await bench.append('task-2', { type: 'TaskMeasured', data: { size: -0.1, details: { a: [1, null, 'x'], 'ü': { b: true } } } });
    await bench.append('task-1', { type: 'TaskDropped', data: {} });
    await bench.settled();
    const log = await bench.log();
    for (const p of ALL) expect(await bench.rows(p)).toEqual(foldOf(p, log));
    expect((await bench.rows(tasks)).size).toBe(1);
    expect((await bench.rows(activity)).size).toBe(5);
    expect(bench.errors).toEqual([]);
  });
});
