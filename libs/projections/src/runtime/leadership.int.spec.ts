import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AnyProjection } from '../projection';
import { eventually, ProjectionBench } from '../testing/bench';
import { ALL, foldOf, load } from '../testing/tasks';

const assigned = (to: string) => ({ type: 'TaskAssigned', data: { to } });

describe('Two runtimes on one database', () => {
  let bench: ProjectionBench;
  beforeEach(async () => {
    bench = await ProjectionBench.open();
  });
  afterEach(() => bench.close());

  const leaders = async () =>
    (await bench.pool.query<{ owner: string | null }>('SELECT DISTINCT owner FROM es_projection')).rows.map(({ owner }) => owner);
  const expectFolded = async (...projections: readonly AnyProjection[]) => {
    const log = await bench.log();
    for (const p of projections) expect(await bench.rows(p)).toEqual(foldOf(p, log));
  };

  it('[PROJ-015] have one leader per projection, and no event is applied twice', async () => {
    const [a, b] = await Promise.all([bench.runtime(ALL, { leaseMs: 300 }), bench.runtime(ALL, { leaseMs: 300 })]);
    let over = false;
    const appending = (async () => {
      for (let i = 0; !over; i++) await bench.append(`task-${i % 9}`, assigned(`person-${i % 5}`));
    })();
    const leads = (runtime: typeof a) => ALL.filter(({ name }) => runtime!.progress.position(name) !== undefined).map(({ name }) => name);
    await eventually(
      () => leads(a).length + leads(b).length,
      (leading) => leading === ALL.length,
    );
    expect(new Set([...leads(a), ...leads(b)]).size).toBe(ALL.length);
    // A lease that is taken away while its loop runs: for a moment both believe to lead, and the fence lets only the newer one commit.
    for (let theft = 0; theft < 10; theft++) {
      const before = await bench.position(load);
      const {
        rows: [was],
      } = await bench.pool.query<{ fence: bigint }>(`SELECT fence FROM es_projection WHERE name = 'task_load'`);
      await bench.pool.query(`UPDATE es_projection SET expires_at = '-infinity', owner = 'nobody'`);
      await eventually(
        async () => (await bench.pool.query<{ fence: bigint }>(`SELECT fence FROM es_projection WHERE name = 'task_load'`)).rows[0]!.fence,
        (fence) => fence > was!.fence,
      );
      await eventually(
        () => bench.position(load),
        (position) => position > before,
      );
      expect(await leaders()).not.toContain('nobody');
    }
    over = true;
    await appending;
    await bench.settled();
    await expectFolded(...ALL);
  });

  it('hand over at once when the leader stops', async () => {
    const a = await bench.runtime(ALL, { leaseMs: 60_000 });
    await bench.append('task-1', assigned('ada'));
    await bench.settled();
    const [first] = await leaders();
    const b = await bench.runtime(ALL, { leaseMs: 60_000 });
    expect(await leaders()).toEqual([first]);
    await bench.end(a);
    await eventually(() => ALL.every(({ name }) => b.progress.position(name) !== undefined), Boolean, 5_000);
    await bench.append('task-1', assigned('bob'));
    await bench.settled();
    await expectFolded(...ALL);
  });
});
