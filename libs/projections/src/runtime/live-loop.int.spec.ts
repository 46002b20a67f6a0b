import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AnyProjection } from '../projection';
import { eventually, ProjectionBench } from '../testing/bench';
import { activity, ALL, foldOf, load, tasks, type TaskRow } from '../testing/tasks';

const assigned = (to: string) => ({ type: 'TaskAssigned', data: { to } });
const opened = (title: string) => ({ type: 'TaskOpened', data: { title, tags: [], size: 1 } });

describe('A live projection', () => {
  let bench: ProjectionBench;
  beforeEach(async () => {
    bench = await ProjectionBench.open();
  });
  afterEach(() => bench.close());

  const expectFolded = async (...projections: readonly AnyProjection[]) => {
    const log = await bench.log();
    for (const p of projections) expect(await bench.rows(p)).toEqual(foldOf(p, log));
  };

  it('holds what a pure fold of the log holds, whatever is in the texts', async () => {
    await bench.runtime();
    await bench.append('task-1', {
      type: 'TaskOpened',
      data: { title: 'Paint "it" \\ {black}', tags: ['a,b', '"q"', 'NULL', '\\', ''], size: 1.5 },
    });
    await bench.append('task-1', assigned('ada'));
    await bench.append('task-2', { type: 'TaskOpened', data: { title: 'Tab\tNew\nline', tags: [], size: 1e300 } });
    await bench.append('note-1', { type: 'NoteWritten', data: { text: 'n' } });
    await bench.append('task-2', { type: 'TaskMeasured', data: { size: -0.1, details: { a: [1, null, 'x\\u0000'], ü: { b: true } } } });
    await bench.append('task-1', { type: 'TaskDropped', data: {} });
    await bench.settled();
    await expectFolded(...ALL);
    expect((await bench.rows(tasks)).get('2')).toMatchObject({ weight: 9_007_199_254_740_994n });
    expect((await bench.rows(activity)).size).toBe(5);
    expect(bench.errors).toEqual([]);
  });

  it('[PROJ-001] commits rows and checkpoint together: a crash at any point applies each event exactly once', async () => {
    await bench.runtime();
    let over = false;
    const appending = (async () => {
      for (let i = 0; !over || i < 300; i++) await bench.append(`task-${i % 50}`, i < 50 ? opened(`t${i}`) : assigned(`person-${i % 7}`));
    })();
    const killAll = () =>
      bench.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'projections' AND datname = current_database()`,
      );
    // The counters of task_load tell a lost event from a repeated one. Each look sees rows and checkpoint in one snapshot.
    for (let kill = 0; kill < 12; kill++) {
      const before = await bench.position(load);
      await eventually(
        () => bench.position(load),
        (position) => position > before,
      );
      await killAll();
      const client = await bench.pool.connect();
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      const {
        rows: [at],
      } = await client.query<{ position: bigint }>(`SELECT position FROM es_projection WHERE name = 'task_load'`);
      const { rows } = await client.query<{ id: string; open: number }>('SELECT id, open FROM task_load');
      await client.query('COMMIT');
      client.release();
      const expected = foldOf(
        load as unknown as AnyProjection,
        (await bench.log()).filter(({ position }) => position <= at!.position),
      );
      expect(new Map(rows.map(({ id, open }) => [id, open]))).toEqual(
        new Map([...expected].map(([id, row]) => [id, (row as unknown as { open: number }).open])),
      );
    }
    over = true;
    await appending;
    await bench.settled();
    await expectFolded(...ALL);
  });

  it('[PROJ-002] handles up to 1 000 events per transaction', async () => {
    const first = await bench.runtime();
    await bench.end(first);
    await bench.pool.query(`
      CREATE TABLE step (name text, events bigint);
      CREATE FUNCTION note_step() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO step VALUES (new.name, new.position - old.position); RETURN new; END $$;
      CREATE TRIGGER steps AFTER UPDATE OF position ON es_projection FOR EACH ROW EXECUTE FUNCTION note_step()`);
    await bench.appendMany(
      Array.from({ length: 2_500 }, (_, i) => `task-${i}`),
      (id) => [opened(id), assigned('ada')],
    );
    await bench.runtime();
    await bench.settled();
    const { rows } = await bench.pool.query<{ name: string; most: bigint; steps: bigint }>(
      'SELECT name, max(events) AS most, count(*) AS steps FROM step GROUP BY name',
    );
    expect(rows).toHaveLength(3);
    for (const { most, steps } of rows) {
      expect(most).toBe(1_000n);
      expect(steps).toBeLessThan(15n);
    }
    await expectFolded(...ALL);
  });

  const delicate = {
    ...tasks,
    name: 'delicate',
    on: {
      ...tasks.on,
      TaskOpened: (row: TaskRow | null, event: never, id: string) => {
        const next = tasks.on.TaskOpened!(row, event, id)!;
        if (next.title === 'poison') throw new Error('I cannot read this');
        return next.title === 'half' ? { ...next, moves: 0.5 } : next;
      },
    },
  } as unknown as AnyProjection;

  it('[PROJ-012] stops at an event its handler throws on and raises an alarm; the others go on', async () => {
    await bench.runtime([delicate, ...ALL]);
    await bench.append('task-1', opened('good'));
    const position = await bench.append('task-2', opened('poison'));
    await bench.append('task-3', opened('later'));
    await bench.settled();
    await eventually(
      () => bench.alarms.length,
      (alarms) => alarms > 0,
    );
    expect(bench.alarms).toEqual([
      { projection: 'delicate', generation: 1, position, error: `TaskOpened at position ${position}: I cannot read this` },
    ]);
    await bench.append('task-4', opened('still later'));
    await bench.settled();
    await expectFolded(...ALL);
    expect([...(await bench.rows(delicate)).keys()]).toEqual(['1']);
    expect(await bench.position(delicate)).toBe(position - 1n);
    const status = (await bench.control([delicate, ...ALL]).status())[0];
    expect(status).toMatchObject({
      state: 'stopped',
      position: position - 1n,
      lagEvents: 3n,
      error: { position, message: expect.stringContaining('I cannot read this') },
    });
  });

  it('finds the one event whose row the database refuses', async () => {
    await bench.append('task-1', opened('good'));
    const position = await bench.append('task-2', opened('half'));
    await bench.append('task-3', opened('later'));
    await bench.runtime([delicate, tasks as unknown as AnyProjection]);
    await eventually(
      () => bench.alarms.length,
      (alarms) => alarms > 0,
    );
    expect(bench.alarms).toMatchObject([{ projection: 'delicate', position }]);
    await eventually(
      async () => [...(await bench.rows(delicate)).keys()],
      (keys) => keys.join() === '1',
    );
    await bench.settled([tasks as unknown as AnyProjection]);
  });

  it('moves its checkpoint past events of others', async () => {
    const runtime = await bench.runtime();
    for (let i = 0; i < 50; i++) await bench.append('note-1', { type: 'NoteWritten', data: { text: `n${i}` } });
    const head = await bench.settled();
    expect(await runtime.progress.wait('tasks', head, 1_000)).toBe(true);
    expect((await bench.rows(tasks)).size).toBe(0);
  });
});
