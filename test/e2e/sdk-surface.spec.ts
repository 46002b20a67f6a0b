import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { PROBLEM_CODES } from '@app/kernel';
import { Harness, HarnessError, SERVER_CODES } from '../../libs/sdk/src';
import { CHROMIUM, ensureProgram } from '../debian-program';
import { compiled } from './compiled';
import { until } from './machine';
import { testServer, type Body, type TestServer } from './server';

describe('The SDK', () => {
  let server: TestServer;
  let agentKey: string;
  let reviewer: Harness;
  let item: string;
  beforeAll(async () => {
    server = await testServer();
    const [agent, person] = [await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:update', 'items:write'] }), await server.newKey({ name: 'Ada', kind: 'human', capabilities: ['approvals:decide', 'items:update'] })];
    agentKey = agent.key;
    reviewer = new Harness({ url: server.url, key: person.key });
    item = (await server.admin('POST', 'items/products', { data: { sku: 'S-1', title: 'As it was' } })).body.data.id as string;
  });
  afterAll(() => server.close());

  const update = (title: string) => ({ collection: 'products', id: item, data: { title } });
  const typesOf = async (runId: string) => (await reviewer.run(runId).events()).map(({ type }) => type);

  it('[SDK-002] has a handle of a run that calls, waits for an approval and follows what happens', async () => {
    const harness = new Harness({ url: server.url, key: agentKey });
    const run = await harness.goal({ title: 'Tidy', agentName: 'robot', approvalPolicy: 'before_execute' });
    const seen: string[] = [];
    const following = (async () => {
      for await (const { type } of run.stream()) seen.push(type);
    })();
    const asked = await run.call('updateItem', update('By the handle'));
    const waiting = run.waitForApproval(asked.approvalId!);
    await reviewer.approvals.decide(asked.approvalId!, { decision: 'approved' });
    expect(await waiting).toMatchObject({ status: 'approved', call: { status: 'executed' } });
    await run.complete();
    await following;
    expect(seen).toEqual(await typesOf(run.runId));
  });

  it('[SDK-005] repeats a call whose answer was lost under its key, and the call has one effect', async () => {
    let lost = 0;
    const lossy: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (!String(input).endsWith('/tool-calls') || lost++ > 1) return answer;
      await answer.arrayBuffer();
      throw new TypeError('fetch failed: the connection was cut after the server had answered');
    };
    const harness = new Harness({ url: server.url, key: agentKey, fetch: lossy, retry: { minDelayMs: 1 } as Body });
    const run = await harness.goal({ title: 'Lossy', agentName: 'robot' });
    expect(await run.call('createItem', { collection: 'products', data: { sku: 'S-2', title: 'Once' } })).toMatchObject({ status: 'executed' });
    expect(lost).toBe(3);
    expect((await typesOf(run.runId)).filter((type) => type === 'ToolCallSucceeded')).toHaveLength(1);
    const { data } = (await server.admin('GET', `items/products?filter=${encodeURIComponent('{"title":"Once"}')}&minPosition=${await server.head()}`)).body as { data: Body[] };
    expect(data).toHaveLength(1);
  });

  it('[SDK-006] has an error type with the stable codes of the server, all of them and no other', async () => {
    expect(SERVER_CODES.toSorted()).toEqual([...PROBLEM_CODES].toSorted());
    const refused = await new Harness({ url: server.url, key: agentKey }).run('run_none').get().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(HarnessError);
    expect(refused).toMatchObject({ code: 'FORBIDDEN', status: 403 });
  });

  describe('in a process of its own', () => {
    /** A program on the compiled SDK. */
    const program = async (body: string) => {
      const sdk = join(await compiled(), 'libs/sdk/src/index.js');
      const source = `import { Harness } from ${JSON.stringify(sdk)};
        const harness = new Harness({ url: ${JSON.stringify(server.url)}, key: ${JSON.stringify(agentKey)} });
        const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n');
        ${body}`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] });
      let out = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
      const ended = new Promise<void>((done) => child.once('close', () => done()));
      return { child, ended, lines: () => out.split('\n').slice(0, -1).map((line) => JSON.parse(line) as Body) };
    };

    it('[SDK-004] is killed while it waits for an approval, and a new one with the run id gets the decision, once', async () => {
      const first = await program(`
        const run = await harness.goal({ title: 'Tidy', agentName: 'robot', approvalPolicy: 'before_execute' });
        const { approvalId } = await run.call('updateItem', ${JSON.stringify(update('After the kill'))}, { callId: 'c1' });
        say({ runId: run.runId, approvalId });
        await run.waitForApproval(approvalId);
        say('decided');`);
      const { runId, approvalId } = await until(() => first.lines()[0], () => 'the first process to ask', 20_000);
      first.child.kill('SIGKILL');
      await first.ended;
      expect(first.lines()).toHaveLength(1);
      await reviewer.approvals.decide(approvalId as string, { decision: 'approved' });

      const second = await program(`
        const run = harness.run(${JSON.stringify(runId)});
        const { approvals } = await run.get();
        const settled = await run.waitForApproval(approvals[0]);
        say({ status: settled.status, call: settled.call.status });
        say({ status: (await run.call('updateItem', ${JSON.stringify(update('After the kill'))}, { callId: 'c1' })).status });
        await run.complete();`);
      await second.ended;
      expect(second.lines()).toEqual([{ status: 'approved', call: 'executed' }, { status: 'executed' }]);
      expect((await typesOf(runId as string)).filter((type) => /^ToolCall(Succeeded|Failed)$/.test(type))).toEqual(['ToolCallSucceeded']);
    });
  });

  describe('in a browser', () => {
    let files: Server;
    let origin: string;
    const asked: string[] = [];
    beforeAll(async () => {
      await ensureProgram(CHROMIUM);
      const folder = await compiled();
      const page = `<!doctype html><title>loading</title><script type="module">
        import { Harness, EventStreamParser } from '/libs/sdk/src/index.js';
        const harness = new Harness({ url: location.origin, key: 'hk_browser' });
        const parser = new EventStreamParser();
        const { data } = await harness.goals.list();
        document.title = [typeof harness.run('run_1').waitForApproval, parser.constructor.name, data[0].goalId, typeof globalThis.process].join(' ');
      </script>`;
      files = createServer(async (request, response) => {
        const path = request.url!.split('?')[0]!;
        asked.push(path);
        if (path === '/') return response.setHeader('content-type', 'text/html').end(page);
        if (path === '/api/v1/agent/goals') return response.setHeader('content-type', 'application/json').end('{"data":[{"goalId":"goal_1"}],"nextCursor":null,"position":"1"}');
        const text = await readFile(join(folder, normalize(path))).catch(() => undefined);
        response.writeHead(text ? 200 : 404, { 'content-type': 'text/javascript' }).end(text);
      });
      await new Promise<void>((listening) => files.listen(0, '127.0.0.1', listening));
      origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
    });
    afterAll(() => void files.close());

    it('[SDK-007] is ESM and works in Chromium without a module of Node or of anybody', async () => {
      const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--virtual-time-budget=20000', '--dump-dom', `${origin}/`];
      const { stdout } = await promisify(execFile)('chromium', flags, { maxBuffer: 2 ** 24 });
      expect(/<title>(.*?)<\/title>/.exec(stdout)?.[1]).toBe('function EventStreamParser goal_1 undefined');
      // Every module that was asked for is one of the SDK's own.
      expect(asked.filter((path) => path.endsWith('.js') && !path.startsWith('/libs/sdk/src/'))).toEqual([]);
      expect(asked.filter((path) => path.startsWith('/libs/sdk/src/')).length).toBeGreaterThan(20);
    }, 60_000);
  });
});
