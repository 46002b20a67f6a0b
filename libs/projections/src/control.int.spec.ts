import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AnyProjection } from './projection';
import { eventually, ProjectionBench } from './testing/bench';
import { ALL, foldOf, tasks } from './testing/tasks';

const opened = (title: string) => ({ type: 'TaskOpened', data: { title, tags: ['x'], size: 1 } });
const poisoned = {
  ...tasks,
  name: 'delicate',
  on: {
    ...tasks.on,
    TaskOpened: (row: never, event: { data: { title: string } }, id: string) => {
      if (event.data.title === 'poison') throw new Error('no');
      return tasks.on.TaskOpened!(row, event as never, id);
    },
  },
} as unknown as AnyProjection;

describe('Operating projections', () => {
  let bench: ProjectionBench;
  beforeEach(async () => {
    bench = await ProjectionBench.open();
  });
  afterEach(() => bench.close());

  it('[PROJ-013] passes over one poison event only with a reason, which is recorded', async () => {
    await bench.runtime([poisoned]);
    const control = bench.control([poisoned]);
    await bench.append('task-1', opened('good'));
    const position = await bench.append('task-2', opened('poison'));
    const second = await bench.append('task-3', opened('poison'));
    await bench.append('task-4', opened('fine'));
    await eventually(
      () => bench.alarms.length,
      (n) => n === 1,
    );
    expect(await control.skip('delicate', position, '  ', 'ada')).toMatchObject({ ok: false, rejection: { code: 'VALIDATION_FAILED' } });
    expect(await control.skip('delicate', second, 'not there yet', 'ada')).toMatchObject({ ok: false, rejection: { kind: 'conflict' } });
    expect(await control.skip('delicate', position, 'Test data of May', 'ada')).toEqual({ ok: true });
    // Only that one: the next poison stops it again.
    await eventually(
      () => bench.alarms.length,
      (n) => n === 2,
    );
    expect(bench.alarms[1]).toMatchObject({ position: second });
    expect(await control.skip('delicate', second, 'The same', 'bob')).toEqual({ ok: true });
    await bench.settled([poisoned]);
    expect([...(await bench.rows(poisoned)).keys()].sort()).toEqual(['1', '4']);
    const { rows } = await bench.pool.query('SELECT name, position, reason, actor FROM es_projection_skip ORDER BY position');
    expect(rows).toEqual([
      { name: 'delicate', position, reason: 'Test data of May', actor: 'ada' },
      { name: 'delicate', position: second, reason: 'The same', actor: 'bob' },
    ]);
    // A rebuild of the same version passes over them as well.
    await control.rebuild('delicate');
    await eventually(
      () => control.status(),
      ([status]) => status!.generation === 2,
    );
    expect([...(await bench.rows(poisoned)).keys()].sort()).toEqual(['1', '4']);
  });

  it('a rebuild stops at poison too, and what serves stays', async () => {
    await bench.runtime([tasks as unknown as AnyProjection]);
    await bench.append('task-1', opened('poison'));
    await bench.settled([tasks as unknown as AnyProjection]);
    const worse = { ...poisoned, name: 'tasks', version: 2 };
    await bench.runtime([worse]);
    await eventually(
      () => bench.alarms.length,
      (n) => n === 1,
    );
    expect((await bench.control([worse]).status())[0]).toMatchObject({
      state: 'stopped',
      generation: 1,
      version: 1,
      progress: { generation: 2 },
    });
    expect((await bench.rows(tasks)).size).toBe(1);
  });

  it('[PROJ-014] verify replays into a scratch table and reports every differing row', async () => {
    await bench.runtime();
    const control = bench.control();
    await bench.appendMany(
      Array.from({ length: 400 }, (_, i) => `task-t${i}`),
      (id) => [opened(id), { type: 'TaskAssigned', data: { to: 'ada' } }],
    );
    await bench.settled();
    const head = await bench.store.head();
    expect(await control.verify('tasks')).toEqual({ ok: true, position: head, rows: 400n, differences: [] });
    await bench.pool.query(`DELETE FROM tasks WHERE id IN ('t7', 't8')`);
    await bench.pool.query(`UPDATE tasks SET tags = '{y}' WHERE id = 't9'`);
    await bench.pool.query(`UPDATE tasks SET details = '{"a": 1}' WHERE id = 't399'`);
    await bench.pool.query(
      `INSERT INTO tasks SELECT 'ghost', site_id, title, tags, size, weight, is_assigned, assignee, details, moves, position
       FROM tasks WHERE id = 't1'`,
    );
    expect(await control.verify('tasks')).toEqual({
      ok: true,
      position: head,
      rows: 400n,
      differences: [
        { id: 'ghost', kind: 'extra' },
        { id: 't399', kind: 'different' },
        { id: 't7', kind: 'missing' },
        { id: 't8', kind: 'missing' },
        { id: 't9', kind: 'different' },
      ],
    });
    expect(await control.verify('task_load')).toMatchObject({ ok: true, differences: [] });
    const scratch = () => bench.pool.query<{ n: bigint }>(`SELECT count(*) AS n FROM pg_class WHERE relname LIKE '%verify%'`);
    await eventually(scratch, ({ rows }) => rows[0]!.n === 0n);
    expect(await control.verify('nothing')).toMatchObject({ ok: false, rejection: { kind: 'missing' } });
  });

  it('pauses and resumes from another process', async () => {
    await bench.runtime();
    const control = bench.control();
    expect(await control.pause('tasks')).toEqual({ ok: true });
    expect(await control.pause('tasks')).toMatchObject({ ok: false });
    const before = await bench.position(tasks);
    await bench.append('task-1', opened('waits'));
    await bench.settled(ALL.filter(({ name }) => name !== 'tasks'));
    expect(await bench.position(tasks)).toBe(before);
    expect((await control.status())[0]).toMatchObject({ state: 'paused', lagEvents: 1n });
    expect(await control.resume('tasks')).toEqual({ ok: true });
    await bench.settled();
    expect(await bench.rows(tasks)).toEqual(foldOf(tasks as unknown as AnyProjection, await bench.log()));
    expect(await control.pause('nothing')).toMatchObject({ ok: false, rejection: { kind: 'missing' } });
  });
});
