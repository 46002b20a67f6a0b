import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPostgres, type EmbeddedPostgres } from '@app/database';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AGENT_RUNS } from '../queues';
import { pgBossWorld } from '../testing/pg-boss-world';
import { until } from '../testing/until';

describe('The queue, while PostgreSQL goes and comes back', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'queue-restart-'));
  let server: EmbeddedPostgres;
  let isUp = false;
  const start = async () => {
    server = await startPostgres({ dataDir, disposable: true });
    isUp = true;
  };
  const stop = async () => {
    isUp = false;
    await server.stop();
  };
  beforeAll(start);
  afterAll(async () => {
    if (isUp) await stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('starts by itself when the database has come, runs on after a restart, and does no job twice', async () => {
    const connection = { host: server.host, port: server.port, user: server.user, database: 'postgres' };
    await stop();
    const complaints: unknown[] = [];
    const world = pgBossWorld(connection, { onError: (error) => complaints.push(error) });
    const queue = world.process();
    const runs: string[] = [];
    const gate = Promise.withResolvers<void>();
    queue.work(AGENT_RUNS, async ({ id, attempt }) => {
      runs.push(`${id} ${attempt}`);
      if (id === 'during') await gate.promise;
    }, { concurrency: 2 });
    await until(() => complaints.length, (count) => count > 1);
    await start();
    await queue.ready();

    await queue.enqueue(AGENT_RUNS, 'before', {});
    await queue.enqueue(AGENT_RUNS, 'during', {});
    await queue.enqueue(AGENT_RUNS, 'later', {}, { notBefore: new Date(Date.now() + 1_000) });
    await until(() => runs, ({ length }) => length === 2);
    await stop();
    const asked = performance.now();
    expect(await queue.enqueue(AGENT_RUNS, 'away', {})).toMatchObject({ ok: false, rejection: { kind: 'unavailable', code: 'UNAVAILABLE' } });
    expect(performance.now() - asked).toBeLessThan(6_000);
    gate.resolve();
    await start();

    expect(await queue.enqueue(AGENT_RUNS, 'away', {})).toMatchObject({ ok: true });
    await until(() => queue.depths(), ([runsQueue]) => runsQueue!.waiting + runsQueue!.active + runsQueue!.delayed === 0);
    expect(runs.toSorted()).toEqual(['away 1', 'before 1', 'during 1', 'later 1']);
    await world.close();
  });

  it('stops while the database is away, started or not', async () => {
    const world = pgBossWorld({ host: server.host, port: server.port, user: server.user, database: 'postgres' });
    const started = world.process();
    started.work(AGENT_RUNS, async () => undefined);
    await started.ready();
    await stop();
    const late = world.process();
    late.work(AGENT_RUNS, async () => undefined);
    const from = performance.now();
    await Promise.all([started.stop(), late.stop()]);
    expect(performance.now() - from).toBeLessThan(2_000);
    await world.close();
    await start();
  });
});
