import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { eventually, ProjectionBench } from '../testing/bench';
import { ALL, foldOf, load } from '../testing/tasks';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

describe('A worker process', () => {
  let bench: ProjectionBench;
  const workers = new Set<ChildProcess>();
  beforeEach(async () => {
    bench = await ProjectionBench.open();
  });
  afterEach(async () => {
    for (const worker of workers) await kill(worker);
    await bench.close();
  });

  const start = async () => {
    const args = [
      '--import',
      file('../testing/typescript-hooks.mjs'),
      file('../testing/projections-process.ts'),
      JSON.stringify(bench.connection),
    ];
    const worker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NODE_OPTIONS: '' } });
    workers.add(worker);
    await once(worker.stdout!, 'data');
    return worker;
  };
  const kill = async (worker: ChildProcess) => {
    workers.delete(worker);
    if (worker.exitCode !== null || worker.signalCode !== null) return;
    const exited = once(worker, 'exit');
    worker.kill('SIGKILL');
    await exited;
  };
  const swaps = async () =>
    (await bench.pool.query<{ n: bigint }>(`SELECT max(generation) AS n FROM es_projection WHERE role = 'serving'`)).rows[0]!.n;

  it('[PROJ-010] killed at random during a rebuild with live appends ends equal to a pure fold of the log', async () => {
    await bench.appendMany(
      Array.from({ length: 15_000 }, (_, i) => `task-t${i}`),
      (id) => [
        { type: 'TaskOpened', data: { title: id, tags: ['a'], size: 1 } },
        { type: 'TaskAssigned', data: { to: `person-${id.length}` } },
      ],
    );
    const control = bench.control();
    let over = false;
    const appending = (async () => {
      for (let i = 0; !over; i++)
        await bench.append(`task-t${i % 500}`, {
          type: i % 3 ? 'TaskAssigned' : 'TaskDropped',
          data: i % 3 ? { to: `person-${i % 5}` } : {},
        });
    })();
    const [delays] = fc.sample(fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 4, maxLength: 4 }), 1);
    const stages: string[] = [];
    for (const delay of delays!) {
      const worker = await start();
      await eventually(
        () => bench.position(load),
        (position) => position >= 0n,
      );
      await control.rebuildAll();
      // Chance decides where in the rebuild the kill falls; the stages it fell into are shown when the test fails.
      await setTimeout(delay);
      await kill(worker);
      const { rows } = await bench.pool.query<{ stage: string }>(
        `SELECT name || ' ' || role || ' ' || position AS stage FROM es_projection WHERE role IN ('serving', 'building') ORDER BY 1`,
      );
      stages.push(`${delay} ms: ${rows.map(({ stage }) => stage).join(', ')}`);
    }
    await start();
    await control.rebuildAll();
    await eventually(
      async () => (await bench.pool.query(`SELECT 1 FROM es_projection WHERE role = 'building'`)).rowCount,
      (building) => building === 0,
      60_000,
    );
    over = true;
    await appending;
    await bench.settled(ALL, 60_000);
    const log = await bench.log();
    for (const p of ALL) expect({ stages, rows: await bench.rows(p) }).toEqual({ stages, rows: foldOf(p, log) });
    expect(await swaps()).toBeGreaterThan(1n);
  }, 120_000);
});
