import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Harness, type HarnessError, type WorkerCall, type WorkerOptions } from '../../libs/sdk/src';
import { testServer, type Body, type TestServer } from './server';

/** A promise and the way to settle it. */
const gate = <T = void>() => Promise.withResolvers<T>();

describe('The SDK as a worker', () => {
  let server: TestServer;
  let harness: Harness;
  let workerKey: string;
  const stopping: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    server = await testServer();
    harness = new Harness({ url: server.url, key: (await server.newKey({ name: 'robot', capabilities: ['pages:render'] })).key });
    workerKey = (await server.newKey({ name: 'renderer', kind: 'service', capabilities: ['worker:take', 'pages:render'] })).key;
    for (const [name, more] of Object.entries({ render: {}, hurry: { worker: { leaseMs: 1_000 } }, look: { risk: 'read', worker: { leaseMs: 1_000 } } })) {
      await server.admin('PUT', `agent/tools/${name}`, {
        kind: 'worker', description: 'Renders a page', inputSchema: { type: 'object' }, requiredCapabilities: ['pages:render'], risk: 'write', irreversible: false, ...more,
      });
    }
  });
  afterAll(async () => {
    await Promise.all(stopping.map((stop) => stop()));
    await server.close();
  });

  /** A worker that runs until it is stopped; each on a connection of its own, with what it does to requests. */
  const start = (options: Omit<WorkerOptions, 'signal'>, fetcher: typeof fetch = fetch) => {
    const stop = new AbortController();
    const over = new Harness({ url: server.url, key: workerKey, fetch: fetcher }).worker({ waitMs: 5_000, ...options, signal: stop.signal });
    const ended = async () => {
      stop.abort();
      await over;
    };
    stopping.push(ended);
    return { stop: ended, over };
  };
  const open = () => harness.goal({ title: 'Publish', agentName: 'robot' });

  it('takes calls, hands in what came of them, and sees the run that they belong to', async () => {
    const worker = start({ tools: ['render'], handle: async ({ callId, arguments: { page }, run }) => {
      if (page === 'none') throw new Error('No such page');
      return { page, callId, status: (await run.get()).status };
    } });
    const run = await open();
    expect(await run.call('render', { page: 'home' }, { callId: 'c1' })).toMatchObject({ status: 'executed', result: { page: 'home', callId: 'c1', status: 'running' } });
    expect(await run.call('render', { page: 'none' })).toMatchObject({ status: 'failed', reason: 'No such page' });
    await worker.stop();
  });

  it('takes as many at once as it was told to, and finishes what it holds when it is stopped', async () => {
    const [full, go] = [gate(), gate()];
    let now = 0;
    const worker = start({ tools: ['render'], concurrency: 3, handle: async ({ callId }) => {
      if (++now === 3) full.resolve();
      await go.promise;
      return callId;
    } });
    const run = await open();
    const asked = ['a', 'b', 'c'].map((callId) => run.call('render', {}, { callId }));
    await full.promise;
    const stopped = worker.stop();
    go.resolve();
    await stopped;
    expect((await Promise.all(asked)).map(({ result }) => result)).toEqual(['a', 'b', 'c']);
    expect(now).toBe(3);
  });

  it('keeps a call for longer than its lease by saying that it is alive', async () => {
    const held = gate<WorkerCall>();
    const finish = gate();
    let beats = 0;
    const counting: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      // Three thirds and one more: without them the lease would have ended.
      if (String(input).endsWith('/heartbeat') && answer.ok && ++beats === 4) finish.resolve();
      return answer;
    };
    const worker = start({ tools: ['hurry'], handle: async (call) => {
      held.resolve(call);
      await finish.promise;
      return 'late';
    } }, counting);
    const run = await open();
    const asked = run.call('hurry');
    const { signal } = await held.promise;
    expect(await asked).toMatchObject({ status: 'executed', result: 'late' });
    expect([signal.aborted, beats]).toEqual([false, 4]);
    await worker.stop();
  });

  it('is told when it has lost a call, and its outcome does not count', async () => {
    const lost = gate<HarnessError>();
    const silent: typeof fetch = (input, init) =>
      String(input).endsWith('/heartbeat') ? new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))) : fetch(input, init);
    const first = start({ tools: ['look'], onLost: (_call, error) => lost.resolve(error), handle: ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('first'))) }, silent);
    const run = await open();
    const asked = run.call('look');
    expect(await lost.promise).toMatchObject({ code: 'TIMEOUT' });
    await first.stop();
    const second = start({ tools: ['look'], handle: () => 'second' });
    expect(await asked).toMatchObject({ status: 'executed', result: 'second' });
    await second.stop();
  });

  it('fails a call whose arguments were lost on the way, without having begun it', async () => {
    let dropped = 0;
    const dropping: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (!String(input).endsWith('/poll') || answer.status !== 200 || dropped++ > 0) return answer;
      throw new TypeError('The connection was cut');
    };
    const handled: string[] = [];
    const worker = start({ tools: ['render'], handle: ({ callId }) => handled.push(callId) }, dropping);
    const run = await open();
    expect(await run.call('render', {}, { callId: 'c1' })).toMatchObject({ status: 'failed', reason: expect.stringContaining('not started') });
    expect(await run.call('render', {}, { callId: 'c2' })).toMatchObject({ status: 'executed', result: 1 });
    expect(handled).toEqual(['c2']);
    await worker.stop();
  });

  it('tells of a call that was on its way when it was stopped, so that nobody has to find out about it', async () => {
    const stop = new AbortController();
    const stopping: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (answer.status === 200 && !stop.signal.aborted) stop.abort(new Error('stopped'));
      init?.signal?.throwIfAborted();
      return answer;
    };
    const handled: string[] = [];
    const over = new Harness({ url: server.url, key: workerKey, fetch: stopping }).worker({ tools: ['render'], signal: stop.signal, handle: ({ callId }) => handled.push(callId) });
    expect(await (await open()).call('render')).toMatchObject({ status: 'failed', reason: 'The worker was stopped before it began this call.' });
    await over;
    expect(handled).toEqual([]);
  });

  it('leaves a call whose worker was lost to a person, who resolves it', async () => {
    const run = await open();
    const asked = run.call('hurry', {}, { callId: 'c1' });
    const taken = await server.as(workerKey)('POST', 'agent/worker/poll', { tools: ['hurry'], waitMs: 20_000 });
    expect(taken.body.data).toMatchObject({ callId: 'c1' });
    expect(await asked).toMatchObject({ status: 'indeterminate', approvalId: expect.any(String) });
    const { key } = await server.newKey({ name: 'Ada', kind: 'human', capabilities: ['approvals:decide', 'pages:render'] });
    const person = new Harness({ url: server.url, key });
    expect((await person.run(run.runId).resolve('c1', { answer: 'happened', result: 'paid' })).data).toMatchObject({ status: 'executed', result: 'paid' });
    expect(await run.call('hurry', {}, { callId: 'c1' })).toMatchObject({ status: 'executed', result: 'paid' });
  });

  it('says so when a result cannot be recorded', async () => {
    const results: unknown[] = ['a\0b', 1n];
    const worker = start({ tools: ['render'], handle: () => results.shift() });
    const run = await open();
    for (const _ of [1, 2]) expect(await run.call('render')).toMatchObject({ status: 'failed', reason: expect.stringMatching(/\w/) });
    await worker.stop();
  });

  it('goes on after the server was away, and gives up when it is refused', async () => {
    let away = 8;
    const flaky: typeof fetch = (input, init) => (away-- > 0 ? Promise.reject(new TypeError('fetch failed')) : fetch(input, init));
    const worker = start({ tools: ['render'], handle: () => 'back' }, flaky);
    const run = await open();
    expect(await run.call('render')).toMatchObject({ status: 'executed', result: 'back' });
    expect(away).toBeLessThan(0);
    await worker.stop();
    const refused = new Harness({ url: server.url, key: workerKey }).worker({ tools: ['getItem'], concurrency: 2, handle: () => 1 });
    await expect(refused).rejects.toMatchObject({ code: 'FORBIDDEN', facts: { tools: ['getItem'] } } satisfies Body);
  });
});
