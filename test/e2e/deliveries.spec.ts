import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEventId } from '@app/event-store';
import { CarryOutRun, ReleaseRun, RequestToolCall } from '@app/tool-calls/contract';
import { until } from '../../libs/event-store/src/consumers/testing/until';
import { clockedWorker, MASTER_KEY } from './clocked-worker';
import { testServer, type Api, type Body, type TestServer } from './server';

const RUNS = 12;
/** A fixed shuffle, so that a failure comes again. */
const shuffled = <T>(values: readonly T[]): T[] => values.map((value, nr) => ({ value, key: (nr * 7919 + 13) % 104_729 })).toSorted((a, b) => a.key - b.key).map(({ value }) => value);

describe('Jobs that are delivered often and in any order', () => {
  let server: TestServer;
  let agent: Api & { readonly id: string };
  let workers: readonly Awaited<ReturnType<typeof clockedWorker>>[];
  beforeAll(async () => {
    server = await testServer({ HARNESS_ROLES: 'gateway', HARNESS_MASTER_KEY: MASTER_KEY });
    agent = await server.newKey({ name: 'robot', capabilities: ['items:write'] });
    workers = [await clockedWorker(server, () => new Date()), await clockedWorker(server, () => new Date())];
  });
  afterAll(async () => {
    await Promise.all(workers.map(({ stop }) => stop()));
    await server.close();
  });

  const deliver = async (runId: string, worker: number) => {
    const attempt = newEventId();
    const context = (step: string) => ({ actor: { kind: 'service' as const, id: 'agent-runs' }, siteId: 'site_demo', now: new Date(), correlationId: attempt, commandId: `${attempt}:${step}` });
    const done = await workers[worker]!.bus.send(new CarryOutRun(runId, context));
    return done.ok ? done.data.state : done.rejection.code;
  };

  const release = async (runId: string, worker: number) => {
    const context = { actor: { kind: 'service' as const, id: 'recovery' }, siteId: 'site_demo', now: new Date(), correlationId: 'release', commandId: newEventId() };
    const answer = await workers[worker]!.bus.send(new ReleaseRun(runId, context));
    return answer.ok && answer.data.released;
  };

  const queuedRun = async (sku: string) => {
    const task = { skillName: 'createItem', arguments: { collection: 'products', data: { sku, title: `Delivered ${sku}` } } };
    return (await agent('POST', 'agent/goals', { title: 'Later', agentName: 'robot', execution: 'async', task })).body.data.runId as string;
  };
  const typesOf = async (runId: string) => (await server.log()).filter(({ stream_id: id }: Body) => id === `run-${runId}`).map(({ type }: Body) => type as string);
  /** What the first worker does about the calls of its runs. */
  const requests = (instead: ((request: () => Promise<unknown>) => Promise<unknown>) | undefined) =>
    workers[0]!.bus.surround((_kind, message, handle) => (instead && message instanceof RequestToolCall ? (instead(handle) as ReturnType<typeof handle>) : handle()));
  const away = () => Promise.reject(new Error('The database is away'));

  it('[RUN-042] [RELI-009] start each run once, whichever worker is first, and change nothing afterwards', async () => {
    const runIds: string[] = [];
    for (let nr = 0; nr < RUNS; nr++) runIds.push(await queuedRun(`D-${nr}`));
    const deliveries = shuffled(runIds.flatMap((runId) => [0, 1, 0, 1, 1].map((worker) => ({ runId, worker }))));
    const answers = await Promise.all(deliveries.map(({ runId, worker }) => deliver(runId, worker)));
    expect(answers).toContain('done');
    expect(answers.filter((answer) => !['done', 'held', 'elsewhere'].includes(answer))).toEqual([]);
    for (const runId of runIds) {
      expect(await typesOf(runId)).toEqual(['RunQueued', 'EnvelopeSealed', 'RunStarted', 'LeaseTaken', 'ToolCallAuthorised', 'WritesFlushed', 'ToolCallSucceeded', 'RunSucceeded']);
    }
    const head = await server.head();
    expect(await Promise.all(shuffled(deliveries).map(({ runId, worker }) => deliver(runId, worker)))).toEqual(deliveries.map(() => 'elsewhere'));
    expect(await server.head()).toBe(head);
    const made = (await server.log()).filter(({ type, data }: Body) => type === 'ItemCreated' && /^Delivered/.test(data.data.title as string));
    expect(made).toHaveLength(RUNS);
  });

  it('find a run free again after an attempt that failed', async () => {
    const runId = await queuedRun('F-1');
    requests(away);
    await expect(deliver(runId, 0)).rejects.toThrow('away');
    requests(undefined);
    expect(await deliver(runId, 1)).toBe('done');
    expect((await typesOf(runId)).slice(2)).toEqual(['RunStarted', 'LeaseTaken', 'LeaseLost', 'LeaseTaken', 'ToolCallAuthorised', 'WritesFlushed', 'ToolCallSucceeded', 'RunSucceeded']);
  });

  it('find it free later when the attempt could not even give it back, and until then there is a job for it', async () => {
    const runId = await queuedRun('F-2');
    const { executor } = workers[0]!;
    const execute = executor.execute.bind(executor);
    requests(away);
    executor.execute = ((streams, context, decide) => (context.commandId.endsWith(':give-back') ? away() : execute(streams, context, decide))) as typeof executor.execute;
    await expect(deliver(runId, 0)).rejects.toThrow('away');
    executor.execute = execute;
    requests(undefined);
    const queueing = await clockedWorker(server, () => new Date(), true);
    const jobs = `SELECT start_after > now() AS "isLater" FROM pgboss.job WHERE data->>'job' LIKE $1`;
    const later = await until(() => queueing.pool.query(jobs, [`${runId}/held/%`]).then(({ rows }) => rows, () => []), (rows) => rows.length > 0);
    await queueing.stop();
    expect(later).toEqual([{ isLater: true }]);
    expect(await typesOf(runId)).toEqual(['RunQueued', 'EnvelopeSealed', 'RunStarted', 'LeaseTaken']);
    expect([await release(runId, 1), await release(runId, 0)]).toEqual([false, true]);
    expect(await deliver(runId, 1)).toBe('done');
  });

  it('leave a run alone that its worker carries out', async () => {
    const runId = await queuedRun('F-3');
    const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    requests(async (request) => {
      asked.resolve();
      await gate.promise;
      return request();
    });
    const first = deliver(runId, 0);
    await asked.promise;
    expect([await deliver(runId, 0), await deliver(runId, 1)]).toEqual(['held', 'held']);
    expect(await release(runId, 0)).toBe(false);
    gate.resolve();
    expect(await first).toBe('done');
    requests(undefined);
    expect((await typesOf(runId)).slice(2)).toEqual(['RunStarted', 'LeaseTaken', 'ToolCallAuthorised', 'WritesFlushed', 'ToolCallSucceeded', 'RunSucceeded']);
  });
});
