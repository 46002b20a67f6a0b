import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AnyProjection } from '../projection';
import { eventually, ProjectionBench } from '../testing/bench';
import { activity, ALL, foldOf, load, shouting, tasks } from '../testing/tasks';

const NEXT = [shouting, load, activity];

const opened = (title: string) => [
  { type: 'TaskOpened', data: { title, tags: [title], size: 1 } },
  { type: 'TaskAssigned', data: { to: 'ada' } },
];
const ids = (count: number, prefix = 't') => Array.from({ length: count }, (_, i) => `task-${prefix}${i}`);

describe('A rebuild', () => {
  let bench: ProjectionBench;
  beforeEach(async () => {
    bench = await ProjectionBench.open();
  });
  afterEach(() => bench.close());

  const generationOf = async (p: { readonly name: string }) => {
    const { rows } = await bench.pool.query<{ generation: number }>(
      `SELECT generation FROM es_projection WHERE name = $1 AND role = 'serving'`,
      [p.name],
    );
    return rows[0]?.generation ?? 0;
  };
  const built = (p: { readonly name: string }, generation: number) =>
    eventually(
      () => generationOf(p),
      (now) => now === generation,
    );
  const expectFolded = async (...projections: readonly AnyProjection[]) => {
    const log = await bench.log();
    for (const p of projections) expect(await bench.rows(p)).toEqual(foldOf(p, log));
    expect(bench.errors).toEqual([]);
  };

  it('[PROJ-003] of a raised version goes into a shadow table while the old table keeps serving', async () => {
    await bench.appendMany(ids(300), opened);
    const first = await bench.runtime();
    await bench.settled();
    await bench.end(first);
    // The swap waits for this reader, so that there is a time when all of the new generation is there and the old one still serves.
    const reader = await bench.pool.connect();
    await reader.query('BEGIN; SELECT 1 FROM tasks LIMIT 1');
    await bench.runtime(NEXT);
    const head = await bench.store.head();
    await eventually(
      async () =>
        (await bench.pool.query<{ position: bigint }>(`SELECT position FROM es_projection WHERE name = 'tasks' AND role = 'building'`))
          .rows[0]?.position,
      (position) => position === head,
    );
    expect([...(await bench.rows(tasks)).keys()]).toHaveLength(300);
    expect((await bench.rows(tasks)).get('t7')).toMatchObject({ title: 'task-t7' });
    expect((await bench.rows(shouting, 'tasks__g2')).get('t7')).toMatchObject({ title: 'TASK-T7' });
    await reader.query('COMMIT');
    reader.release();
    await built(tasks, 2);
    await bench.append('task-late', ...opened('late'));
    await bench.settled(NEXT);
    await expectFolded(...NEXT);
  });

  it('[PROJ-004] swaps in one transaction: concurrent readers miss no row', async () => {
    await bench.appendMany(ids(500), opened);
    await bench.runtime();
    await bench.settled();
    const control = bench.control();
    let over = false;
    let reads = 0;
    const counts = new Set<number>();
    const readers = Array.from({ length: 4 }, async () => {
      while (!over) {
        counts.add((await bench.pool.query('SELECT id FROM tasks')).rowCount!);
        reads++;
      }
    });
    for (let generation = 2; generation <= 6; generation++) {
      expect(await control.rebuild('tasks')).toEqual({ ok: true });
      await built(tasks, generation);
    }
    over = true;
    await Promise.all(readers);
    expect([...counts]).toEqual([500]);
    expect(reads).toBeGreaterThan(20);
  });

  it('[PROJ-005] that was killed resumes where it stopped', async () => {
    await bench.appendMany(ids(500), opened);
    const runtime = await bench.runtime();
    await bench.settled();
    await bench.end(runtime);
    const control = bench.control();
    await control.rebuild('tasks');
    // What a builder that was killed after 600 events leaves: a lease that runs out, and rows with their checkpoint.
    const log = await bench.log();
    const half = 600n;
    await bench.pool.query(
      `UPDATE es_projection SET position = $1, owner = 'killed', expires_at = clock_timestamp() WHERE name = 'tasks' AND role = 'building'`,
      [String(half)],
    );
    const before = foldOf(
      tasks as unknown as AnyProjection,
      log.filter(({ position }) => position <= half),
    );
    await bench.pool.query(`INSERT INTO tasks__g2 SELECT * FROM tasks WHERE id = ANY($1)`, [[...before.keys()]]);
    // A mark on a row that the rest of the log does not touch: it survives only if the build goes on instead of starting over.
    await bench.pool.query(`UPDATE tasks__g2 SET title = 'mark' WHERE id = 't0'`);
    await bench.runtime();
    await built(tasks, 2);
    const rows = await bench.rows(tasks);
    expect(rows.size).toBe(500);
    expect(rows.get('t0')).toMatchObject({ title: 'mark' });
    expect(rows.get('t499')).toMatchObject({ title: 'task-t499', assignee: 'ada' });
  });

  it('[PROJ-006] can be cancelled and leaves the serving table untouched', async () => {
    await bench.appendMany(ids(50), opened);
    await bench.runtime();
    await bench.settled();
    const control = bench.control();
    const before = await bench.rows(tasks);
    const reader = await bench.pool.connect();
    await reader.query('BEGIN; SELECT 1 FROM tasks LIMIT 1');
    await control.rebuild('tasks');
    await eventually(
      () => control.status(),
      (all) => all[0]!.progress?.ratio === 1,
    );
    expect(await control.cancel('tasks')).toEqual({ ok: true });
    await reader.query('COMMIT');
    reader.release();
    expect(await control.cancel('tasks')).toMatchObject({ ok: false, rejection: { kind: 'conflict' } });
    expect((await bench.pool.query(`SELECT to_regclass('tasks__g2') AS t`)).rows).toEqual([{ t: null }]);
    expect(await generationOf(tasks)).toBe(1);
    expect(await bench.rows(tasks)).toEqual(before);
    await bench.append('task-after', ...opened('after'));
    await bench.settled();
    await expectFolded(...ALL);
  });

  it('[PROJ-007] shows its progress while it runs', async () => {
    await bench.appendMany(ids(6_000), opened);
    const runtime = await bench.runtime();
    await bench.settled();
    await bench.end(runtime);
    const control = bench.control();
    await control.rebuildAll();
    // A reader of one shadow table stops the writer there: the build stands still for us to look at.
    const brake = await bench.pool.connect();
    await brake.query('BEGIN; LOCK TABLE tasks__g2 IN SHARE MODE');
    await bench.runtime();
    await eventually(
      () => control.status(),
      (all) =>
        all.find(({ name }) => name === 'task_load')!.progress?.ratio === 1 ||
        all.find(({ name }) => name === 'task_load')!.generation === 2,
    );
    const [status] = await control.status();
    expect(status).toMatchObject({
      name: 'tasks',
      state: 'building',
      generation: 1,
      progress: { generation: 2, target: 12_000n, position: 0n, ratio: 0 },
    });
    await brake.query('COMMIT');
    brake.release();
    await eventually(
      () => control.status(),
      (all) => all[0]!.generation === 2,
    );
    expect((await control.status())[0]).toMatchObject({ state: 'live', generation: 2, lagEvents: 0n, lagMs: 0 });
    expect((await control.status())[0]).not.toHaveProperty('progress');
  });

  it('[PROJ-008] keeps the previous generation, which can be put back', async () => {
    await bench.appendMany(ids(20), opened);
    await bench.runtime();
    await bench.settled();
    const control = bench.control();
    await control.rebuild('tasks');
    await built(tasks, 2);
    await bench.append('task-x', ...opened('between'));
    await bench.settled();
    await bench.pool.query(`UPDATE tasks SET title = 'spoiled'`);
    expect(await control.rollback('tasks')).toEqual({ ok: true });
    expect(await generationOf(tasks)).toBe(1);
    await bench.append('task-y', ...opened('after'));
    await bench.settled();
    await expectFolded(...ALL);
    expect(await control.rollback('task_load')).toMatchObject({ ok: false, rejection: { kind: 'conflict' } });
  });

  it('reads the log once for all read models', async () => {
    await bench.appendMany(ids(100), opened);
    await bench.runtime();
    await bench.settled();
    await bench.control().rebuildAll();
    for (const p of ALL) await built(p, 2);
    await bench.append('task-late', ...opened('late'));
    await bench.settled();
    await expectFolded(...ALL);
  });
});
