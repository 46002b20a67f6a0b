import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { clockedWorker, MASTER_KEY } from './clocked-worker';
import { until } from './machine';
import { testServer, type Api, type Body, type TestServer } from './server';

const MINUTE = 60_000;

describe('The timers of runs', () => {
  let server: TestServer;
  let agent: Api & { readonly id: string };
  let offset = 0;
  const workers: Awaited<ReturnType<typeof clockedWorker>>[] = [];
  const start = async () => {
    const worker = await clockedWorker(server, () => new Date(Date.now() + offset));
    workers.push(worker);
    return worker;
  };
  beforeAll(async () => {
    server = await testServer({ HARNESS_ROLES: 'gateway', HARNESS_MASTER_KEY: MASTER_KEY });
    agent = await server.newKey({ name: 'robot', capabilities: ['schema:read', 'items:update', 'items:delete'] });
  });
  afterEach(async () => {
    const errors = workers.flatMap((worker) => worker.errors);
    await Promise.all(workers.splice(0).map(({ stop }) => stop()));
    expect(errors).toEqual([]);
    offset = 0;
  });
  afterAll(() => server.close());

  const run = async (runId: string): Promise<Body> => (await agent('GET', `agent/runs/${runId}`)).body.data;
  const ended = (runId: string) => until(async () => {
    const found = await run(runId);
    return ['failed', 'succeeded', 'cancelled'].includes(found.status as string) ? found : undefined;
  }, () => `the end of ${runId}`, 20_000);
  const timers = async (): Promise<Body[]> => (await server.pool.query<Body>(`SELECT key, topic, due_ms FROM deadline WHERE scheduler = 'run-deadlines'`)).rows;
  const timerOf = (key: string) => until(async () => (await timers()).find((row) => row.key === key), () => `the timer of ${key}`, 20_000);
  const caughtUp = async () => {
    const head = await server.head();
    await until(async () => {
      const { rows } = await server.pool.query<Body>(`SELECT coalesce(min(position), 0) AS position FROM es_consumer WHERE name = 'run-deadlines'`);
      return BigInt(rows[0].position as string) >= head || undefined;
    }, () => 'the timers to have seen the log', 20_000);
  };
  const endings = async (runId: string) => (await server.log()).filter(({ stream_id: id, type }: Body) => id === `run-${runId}` && /^Run(Failed|Succeeded|Cancelled)$/.test(type as string));
  const later = async (): Promise<Body> =>
    (await agent('POST', 'agent/goals', { title: 'Later', agentName: 'robot', execution: 'async', task: { skillName: 'listCollections', arguments: {} } })).body.data;
  const external = async (more: Body = {}): Promise<Body> => (await agent('POST', 'agent/goals', { title: 'Mine', agentName: 'robot', ...more })).body.data;

  it('[RUN-020] give a queued run a quarter of an hour to find a worker, and not a second less', async () => {
    const { runId, goalId } = await later();
    await start();
    const { due_ms: due } = await timerOf(runId);
    const queued = (await server.log()).find(({ stream_id: id, type }: Body) => id === `run-${runId}` && type === 'RunQueued');
    expect(queued).toBeDefined();
    offset = Number(due) - Date.now() - 5_000;
    await caughtUp();
    expect(await run(runId)).toMatchObject({ status: 'queued' });
    offset = 15 * MINUTE + 5_000;
    expect(await ended(runId)).toMatchObject({ status: 'failed', stopReason: 'queue_timeout' });
    expect((await agent('GET', `agent/goals/${goalId}`)).body.data.status).toBe('failed');
  });

  it('[RUN-022] [RUN-055] [PROC-004] end a run at the deadline of its goal, late and once when every process was down then', async () => {
    const deadline = new Date(Date.now() + 30 * MINUTE).toISOString();
    const { runId, goalId } = await external({ deadline });
    const first = await start();
    await timerOf(goalId);
    await first.stop();
    workers.length = 0;
    expect((await run(runId)).status).toBe('running');
    offset = 45 * MINUTE;
    await Promise.all([start(), start()]);
    expect(await ended(runId)).toMatchObject({ status: 'failed', stopReason: 'timeout', reason: `The deadline ${deadline} has passed` });
    expect(await endings(runId)).toHaveLength(1);
  });

  it('[PROC-003] come back from the log when their rows are lost', async () => {
    const { goalId, runId } = await external({ deadline: new Date(Date.now() + 10 * MINUTE).toISOString() });
    const first = await start();
    await timerOf(goalId);
    await first.stop();
    workers.length = 0;
    await server.pool.query(`DELETE FROM deadline WHERE scheduler = 'run-deadlines'`);
    await server.pool.query(`DELETE FROM es_consumer WHERE name = 'run-deadlines'`);
    offset = 11 * MINUTE;
    await start();
    expect(await ended(runId)).toMatchObject({ stopReason: 'timeout' });
  });

  it('[PROC-005] change nothing about a run that is over', async () => {
    const { goalId, runId } = await external({ deadline: new Date(Date.now() + 10 * MINUTE).toISOString() });
    await start();
    await timerOf(goalId);
    await agent('POST', `agent/runs/${runId}/complete`, {});
    await server.pool.query(`UPDATE es_consumer SET position = position WHERE name = 'run-deadlines'`);
    const before = (await server.log()).filter(({ stream_id: id }: Body) => id === `run-${runId}` || id === `goal-${goalId}`);
    offset = 20 * MINUTE;
    await caughtUp();
    await until(async () => ((await timers()).some(({ key }) => key === goalId) ? undefined : true), () => 'the timer to go', 20_000);
    expect((await server.log()).filter(({ stream_id: id }: Body) => id === `run-${runId}` || id === `goal-${goalId}`)).toEqual(before);
  });

  it('[PROC-006] fire once for two schedulers', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => later()));
    await Promise.all([start(), start()]);
    for (const { runId } of made) await timerOf(runId as string);
    offset = 16 * MINUTE;
    for (const { runId } of made) {
      expect(await ended(runId as string)).toMatchObject({ stopReason: 'queue_timeout' });
      expect(await endings(runId as string)).toHaveLength(1);
    }
  });

  it('[RELI-010] come neither early nor twice nor never when clocks jump', async () => {
    const { goalId, runId } = await external({ deadline: new Date(Date.now() + 30 * MINUTE).toISOString() });
    await start();
    await start();
    await timerOf(goalId);
    offset = -90 * MINUTE;
    await caughtUp();
    offset = 29 * MINUTE;
    await caughtUp();
    expect((await run(runId)).status).toBe('running');
    offset = -24 * 60 * MINUTE;
    await caughtUp();
    expect((await run(runId)).status).toBe('running');
    offset = 31 * MINUTE;
    expect(await ended(runId)).toMatchObject({ stopReason: 'timeout' });
    offset = -MINUTE;
    offset = 90 * MINUTE;
    await caughtUp();
    expect(await endings(runId)).toHaveLength(1);
  });
});
