import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEventId } from '@app/event-store';
import { CarryOutRun } from '@app/tool-calls/contract';
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

  it('[RUN-042] [RELI-009] start each run once, whichever worker is first, and change nothing afterwards', async () => {
    const runIds: string[] = [];
    for (let nr = 0; nr < RUNS; nr++) {
      const task = { skillName: 'createItem', arguments: { collection: 'products', data: { sku: `D-${nr}`, title: `Delivered ${nr}` } } };
      runIds.push((await agent('POST', 'agent/goals', { title: 'Later', agentName: 'robot', execution: 'async', task })).body.data.runId as string);
    }
    const deliveries = shuffled(runIds.flatMap((runId) => [0, 1, 0, 1, 1].map((worker) => ({ runId, worker }))));
    const answers = await Promise.all(deliveries.map(({ runId, worker }) => deliver(runId, worker)));
    expect(new Set(answers)).toEqual(new Set(['done', 'elsewhere']));
    const log = (await server.log()).filter(({ stream_id: id }: Body) => runIds.includes((id as string).slice('run-'.length)));
    for (const runId of runIds) {
      const types = log.filter(({ stream_id: id }: Body) => id === `run-${runId}`).map(({ type }: Body) => type as string);
      expect(types).toEqual(['RunQueued', 'EnvelopeSealed', 'RunStarted', 'LeaseTaken', 'ToolCallAuthorised', 'WritesFlushed', 'ToolCallSucceeded', 'RunSucceeded']);
    }
    const head = await server.head();
    expect(await Promise.all(shuffled(deliveries).map(({ runId, worker }) => deliver(runId, worker)))).toEqual(deliveries.map(() => 'elsewhere'));
    expect(await server.head()).toBe(head);
    const made = (await server.log()).filter(({ type, data }: Body) => type === 'ItemCreated' && /^Delivered/.test(data.data.title as string));
    expect(made).toHaveLength(RUNS);
  });
});
