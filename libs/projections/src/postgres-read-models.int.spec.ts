import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InMemoryReadModels } from './in-memory-read-models';
import { PostgresReadModels } from './postgres-read-models';
import type { AnyProjection } from './projection';
import { ReadModelBehind, ReadModelRebuilding } from './read-models';
import { InMemoryLog } from './testing/in-memory-log';
import { eventually, ProjectionBench } from './testing/bench';
import { readModelsContract } from './testing/read-models.conformance';
import { ALL, tasks, type TaskRow } from './testing/tasks';

const opened = (title: string) => ({ type: 'TaskOpened', data: { title, tags: ['x'], size: 1 } });

const open: { bench: ProjectionBench; reads: PostgresReadModels }[] = [];
const readsOf = async (bench: ProjectionBench, projections = ALL, progress?: ConstructorParameters<typeof PostgresReadModels>[1]) => {
  const reads = await PostgresReadModels.connect({ connection: bench.connection, projections, ...(progress && { progress }) });
  open.push({ bench, reads });
  return reads;
};

afterAll(async () => {
  for (const { reads } of open) await reads.close();
  for (const bench of new Set(open.map((each) => each.bench))) await bench.close();
});

readModelsContract(
  'PostgreSQL',
  async (events) => {
    const bench = await ProjectionBench.open();
    await bench.runtime(ALL, { store: new InMemoryLog(events) });
    await eventually(
      () => bench.position(tasks),
      (position) => position === events.at(-1)!.position,
    );
    return readsOf(bench);
  },
  (events) => {
    const reads = new InMemoryReadModels(ALL);
    reads.apply(events);
    return Promise.resolve(reads);
  },
);

describe('Read models in PostgreSQL', () => {
  let bench: ProjectionBench;
  beforeAll(async () => {
    bench = await ProjectionBench.open();
  });

  it('are empty and at position 0 before anybody has built them', async () => {
    const reads = await readsOf(bench);
    expect(await reads.find(tasks, 'site-a', '1')).toBeNull();
    expect(await reads.list(tasks, { siteId: 'site-a', limit: 10 })).toEqual({ rows: [], nextCursor: null, position: 0n });
  });

  it('answer only after a position is reached, beside the runtime and from another process', async () => {
    const runtime = await bench.runtime();
    const beside = await readsOf(bench, ALL, runtime.progress);
    const elsewhere = await readsOf(bench);
    for (let i = 0; i < 20; i++) {
      const position = await bench.append(`task-${i}`, opened(`t${i}`));
      await Promise.all(
        [beside, elsewhere].map(async (reads) => {
          await reads.reached(tasks, position);
          expect(await reads.find<TaskRow>(tasks, 'site-a', String(i))).toMatchObject({ title: `t${i}`, position });
        }),
      );
    }
    const position = await bench.append('note-1', { type: 'NoteWritten', data: { text: 'of no interest to tasks' } });
    await Promise.all([beside.reached(tasks, position), elsewhere.reached(tasks, position)]);
    const started = performance.now();
    await expect(elsewhere.reached(tasks, position + 1n)).rejects.toThrow(ReadModelBehind);
    expect(performance.now() - started).toBeLessThan(6_000);
    await bench.end(runtime);
  }, 20_000);

  it('serve old and new code while a new version is being built', async () => {
    const first = await bench.runtime();
    const old = await readsOf(bench);
    await bench.append('task-x', opened('now'));
    await bench.settled();
    await bench.end(first);
    const { moves: _moves, ...columns } = tasks.columns;
    const next = {
      ...tasks,
      version: 2,
      columns: { ...columns, effort: 'integer' },
      on: {
        ...tasks.on,
        TaskOpened: (row: never, event: never, id: string) => ({ ...tasks.on.TaskOpened!(row, event, id), effort: 3 }),
      },
    } as unknown as AnyProjection;
    const all = [next, ...ALL.slice(1)];
    const fresh = await readsOf(bench, all);
    const nextTasks = next as never as typeof tasks;
    expect(await fresh.find<TaskRow>(nextTasks, 'site-a', 'x')).toMatchObject({ title: 'now', effort: null });
    await expect(fresh.list(nextTasks, { siteId: 'site-a', limit: 5, sort: { field: 'effort', direction: 'asc' } })).rejects.toThrow(
      ReadModelRebuilding,
    );
    await bench.runtime(all);
    await eventually(
      () => bench.control(all).status(),
      ([status]) => status!.version === 2,
    );
    expect(await fresh.find<TaskRow>(nextTasks, 'site-a', 'x')).toMatchObject({ title: 'now', effort: 3 });
    expect(await old.find<TaskRow>(tasks, 'site-a', 'x')).toMatchObject({ title: 'now', moves: null });
    await expect(old.list(tasks, { siteId: 'site-a', limit: 5, where: [{ path: 'moves', is: 'gt', value: 0 }] })).rejects.toThrow(
      ReadModelRebuilding,
    );
  });
});
