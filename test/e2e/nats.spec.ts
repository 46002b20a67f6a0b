import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { ClientProxyFactory, NatsRecordBuilder, Transport } from '@nestjs/microservices';
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import { Ajv } from 'ajv';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstValueFrom } from 'rxjs';
import { HarnessError, verifyWebhook } from '@app/sdk';
import { events, NatsCommands, natsWorker, type HarnessEvent, type NatsWorkerCall } from '@app/sdk/nats';
import { readConfig } from '../../apps/gateway/src/config';
import { startServer } from '../../apps/gateway/src/server';
import { tcpProxy, type TcpProxy } from '../../libs/nats/src/testing/tcp-proxy';
import { testNats, type TestNats } from '../nats';
import { eventually } from './eventually';
import { Processes } from './processes';
import { apiAt, testServer, type Api, type Body, type TestServer } from './server';

const SECRET = 'sk_live_0123456789abcdef0123456789abcdef';

/** Takes checkpoints whose signature is right, and fails at the first. */
const checkpointReceiver = async () => {
  const secret = 'of-the-checkpoints-0123456789';
  const seen = new Set<string>();
  const [received, refused]: [Body[], unknown[]] = [[], []];
  let requests = 0;
  const listener = createServer((request, reply) => void (async () => {
    const body = Buffer.concat(await request.toArray()).toString();
    const verified = await verifyWebhook({ secret, seen, headers: request.headers as Record<string, string>, body });
    if (!verified.ok) refused.push(verified);
    else if (requests++ > 0) received.push(JSON.parse(body));
    reply.writeHead(requests === 1 ? 503 : 204).end();
  })());
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/checkpoints`;
  return { received, refused, environment: { HARNESS_CHECKPOINT_WEBHOOK: url, HARNESS_CHECKPOINT_WEBHOOK_SECRET: secret }, close: () => listener.close() };
};

/** Only ends what has failed already: what comes after an outage comes within seconds, on a busy machine within many. */
const PATIENCE_MS = 90_000;

describe('A server with NATS', () => {
  let nats: TestNats;
  let proxy: TcpProxy;
  let receiver: Awaited<ReturnType<typeof checkpointReceiver>>;
  let server: TestServer;
  let connection: NatsConnection;
  let agent: Api & { readonly id: string };
  let other: { readonly siteId: string; readonly admin: Api };
  const ends: (() => unknown)[] = [];
  const overheard: string[] = [];
  const processes = new Processes();

  beforeAll(async () => {
    nats = await testNats();
    proxy = await tcpProxy(nats.url);
    receiver = await checkpointReceiver();
    server = await testServer({ NATS_URL: proxy.url, HARNESS_METRICS_TOKEN: 'scrape-me-0123456789', ...receiver.environment });
    connection = await connect({ servers: nats.url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
    connection.subscribe('>', { callback: (_error, message) => void overheard.push(`${message.subject} ${message.string()} ${message.headers?.keys().map((key) => message.headers!.get(key)).join(' ')}`) });
    agent = await server.newKey({ name: 'robot', capabilities: ['items:write', 'items:update', 'items:delete', 'items:read', 'pages:render'] });
    const { siteId, adminKey } = (await server.admin('POST', 'sites', { name: 'Other' })).body.data;
    other = { siteId, admin: server.as(adminKey as string) };
  });
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });
  afterAll(async () => {
    await processes.cleanUp();
    await connection.close();
    await server.close();
    await proxy.close();
    await nats.stop();
    receiver.close();
  });

  const subscribe = (query: Parameters<typeof events>[1] = {}) => {
    const stopping = new AbortController();
    const got: HarnessEvent[] = [];
    const done = (async () => {
      for await (const event of events(connection, { ...query, signal: stopping.signal })) got.push(event);
    })();
    ends.push(async () => {
      stopping.abort();
      await done;
    });
    return got;
  };
  const log = async (siteId?: string) => (await server.log()).filter((event: Body) => siteId === undefined || event.site_id === siteId).map(({ position }: Body) => position as string);
  const complete = async (got: readonly HarnessEvent[], siteId?: string) => {
    const all = await eventually(() => log(siteId), (now) => got.length >= now.length, PATIENCE_MS);
    expect(got.map(({ position }) => position)).toEqual(all);
  };
  const goal = (by: Api, title: string) => by('POST', 'agent/goals', { title, agentName: 'robot' });
  const messageCount = async () => (await (await jetstreamManager(connection)).streams.info('HARNESS')).state.messages;
  const lag = async () => {
    const text = await (await fetch(`${server.url}/metrics`, { headers: { authorization: 'Bearer scrape-me-0123456789' } })).text();
    return Number(/^harness_relay_lag_events (\d+)/m.exec(text)?.[1] ?? NaN);
  };

  it('[NATS-003] publishes to the server that NATS_URL names, in a form that the AsyncAPI document describes', async () => {
    await goal(agent, 'Tidy');
    const [all, ofSite, runs] = [subscribe(), subscribe({ siteId: other.siteId }), subscribe({ category: 'run', type: 'RunStarted' })];
    await complete(all);
    await complete(ofSite, other.siteId);
    await eventually(() => Promise.resolve(runs.length), (count) => count > 0);
    expect(new Set(runs.map(({ type }) => type))).toEqual(new Set(['RunStarted']));
    const document = (await server.admin('GET', '/asyncapi.json')).body;
    const ajv = new Ajv({ strict: false, validateFormats: false });
    ajv.addSchema({ components: document.components, $id: 'doc' });
    for (const event of all) expect([event.type, ajv.getSchema(`doc#/components/schemas/${event.type}`)!(event), ajv.errorsText()]).toEqual([event.type, true, expect.any(String)]);
  });

  it('[NATS-004] with the broker cut off, silenced and restarted under load, a subscriber sees the log of each site in order', async () => {
    const [mine, others] = [subscribe({ siteId: 'site_demo' }), subscribe({ siteId: other.siteId })];
    let working = true;
    let refused = 0;
    const load = Promise.all([agent, other.admin, agent, other.admin].map(async (by, n) => {
      for (let i = 0; working; i++) {
        const { status } = await goal(by, `Load ${n}/${i}`);
        if (status !== 201) refused++;
        await sleep(10);
      }
    }));
    for (const harm of [async () => proxy.cut(), () => nats.restart('kept'), async () => proxy.silence(), () => nats.restart('lost')]) {
      await sleep(200);
      await harm();
      await sleep(200);
      proxy.mend();
      if (harm.toString().includes('silence')) proxy.cut();
      proxy.mend();
    }
    working = false;
    await load;
    expect(refused).toBe(0);
    await complete(mine, 'site_demo');
    await complete(others, other.siteId);
    // What the broker had lost is there again, and nothing is there twice.
    await eventually(() => messageCount(), (count) => count > 0, PATIENCE_MS);
    await complete(subscribe({ siteId: 'site_demo' }), 'site_demo');
    expect(await messageCount()).toBe((await server.log()).length);
  }, 4 * PATIENCE_MS);

  it('[OBS-024] shows the lag of its relay while the broker is away, and that it has caught up', async () => {
    expect(await eventually(lag, (events) => events === 0, PATIENCE_MS)).toBe(0);
    proxy.cut();
    for (let n = 0; n < 5; n++) expect((await goal(agent, `Away ${n}`)).status).toBe(201);
    expect(await eventually(lag, (events) => events >= 5, PATIENCE_MS)).toBeGreaterThanOrEqual(5);
    proxy.mend();
    expect(await eventually(lag, (events) => events === 0, PATIENCE_MS)).toBe(0);
  }, 4 * PATIENCE_MS);

  describe('takes commands', () => {
    const by = (key: string, siteId?: string) => new NatsCommands({ connection, key, siteId });
    const failure = (sent: Promise<unknown>) => sent.then(() => undefined, (error: unknown) => error as HarnessError);

    it('[NATS-009] by the Nest transport, and decides, checks and records them as the routes do', async () => {
      const client = ClientProxyFactory.create({ transport: Transport.NATS, options: { servers: [nats.url] } });
      ends.push(() => client.close());
      const authorised = (data: unknown, key: string) => {
        const header = headers();
        header.set('Authorization', `Bearer ${key}`);
        return new NatsRecordBuilder(data).setHeaders(header).build();
      };
      const send = (name: string, data: unknown, key = agent.key) => firstValueFrom(client.send<Body, unknown>(`harness.rpc.${name}`, authorised(data, key)));
      const { data: { goalId, runId } } = await send('createGoal', { title: 'By NATS', agentName: 'robot' });
      const rest = (await goal(agent, 'By REST')).body.data;
      expect((await server.admin('GET', `agent/runs/${runId}`)).body.data).toMatchObject({ runId, goalId, status: 'running' });
      const call = { tool: 'createItem', arguments: { collection: 'products', data: { sku: 'N-1', title: 'By NATS' } }, callId: 'c1' };
      const created = await send('requestToolCall', { runId, ...call });
      const sameByRest = (await agent('POST', `agent/runs/${rest.runId}/tool-calls`, { ...call, arguments: { collection: 'products', data: { sku: 'N-2', title: 'By REST' } } })).body;
      expect(Object.keys(created.data as object).toSorted()).toEqual(Object.keys(sameByRest.data as object).toSorted());
      expect([created.data.status, created.position]).toEqual(['executed', expect.stringMatching(/^\d+$/)]);
      const id = created.data.result.id as string;
      const asked = await send('requestToolCall', { runId, tool: 'deleteItem', arguments: { collection: 'products', id }, callId: 'c2' });
      expect(asked.data).toMatchObject({ status: 'pending_approval', approvalId: expect.any(String) });
      const decided = await send('decideApproval', { approvalId: asked.data.approvalId, decision: 'approved' }, server.admin.key);
      expect(decided.data).toMatchObject({ status: 'approved', call: { status: 'executed' } });
      const types = (await server.log()).filter((event: Body) => event.stream_id === `run-${runId}`).map(({ type }: Body) => type as string);
      expect(types).toEqual(expect.arrayContaining(['RunStarted', 'ToolCallAuthorised', 'ToolCallSucceeded', 'ToolCallParked']));
    });

    it('[NATS-009] and answers what is wrong with the problems of the routes', async () => {
      const { runId } = (await goal(agent, 'Refused')).body.data;
      const commands = by(agent.key);
      const parity: readonly (readonly [Promise<unknown>, ReturnType<Api>])[] = [
        [by('hk_nobody').createGoal({ title: 'x', agentName: 'a' }), server.as('hk_nobody')('POST', 'agent/goals', { title: 'x', agentName: 'a' })],
        [by(agent.key, other.siteId).createGoal({ title: 'x', agentName: 'a' }), agent('POST', 'agent/goals', { title: 'x', agentName: 'a' }, { 'x-site-id': other.siteId })],
        [commands.createGoal({ title: '', agentName: 'a', nonsense: 1 } as never), agent('POST', 'agent/goals', { title: '', agentName: 'a', nonsense: 1 })],
        [commands.createGoal({ title: 'a\0b', agentName: 'a' }), agent('POST', 'agent/goals', { title: 'a\0b', agentName: 'a' })],
        [commands.requestToolCall('run_0', { tool: 'getItem' }), agent('POST', 'agent/runs/run_0/tool-calls', { tool: 'getItem', arguments: {} })],
        [commands.requestToolCall(runId as string, { tool: '' }), agent('POST', `agent/runs/${runId}/tool-calls`, { tool: '', arguments: {} })],
        [commands.decideApproval('appr_0', { decision: 'approved' }), agent('POST', 'agent/approvals/appr_0/decide', { decision: 'approved' })],
        [by(server.admin.key).decideApproval('appr_0', { decision: 'approved' }), server.admin('POST', 'agent/approvals/appr_0/decide', { decision: 'approved' })],
      ];
      for (const [overNats, overRest] of parity) {
        const [error, { body }] = [await failure(overNats), await overRest];
        expect({ status: error?.status, code: error?.code, detail: error?.detail, facts: error?.facts }).toEqual({ status: body.status, code: body.code, detail: body.detail, facts: body.facts ?? {} });
      }
      const broken = await connection.request('harness.rpc.createGoal', '{"title":', { timeout: 5_000, headers: (() => { const h = headers(); h.set('Authorization', `Bearer ${agent.key}`); return h; })() });
      expect(broken.json<Body>().err).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
    });

    it('once under an idempotency key', async () => {
      const commands = by(agent.key);
      const send = (title = 'Once') => commands.createGoal({ title, agentName: 'robot' }, { idempotencyKey: 'once-1' });
      const answers = await Promise.all([send(), send(), send()]);
      expect(new Set(answers.map(({ data }) => data.goalId)).size).toBe(1);
      expect((await failure(send('Another')))?.code).toBe('IDEMPOTENCY_MISMATCH');
    });
  });

  describe('hands calls to workers', () => {
    let key: string;
    const seen: string[] = [];
    beforeAll(async () => {
      key = (await server.newKey({ name: 'renderer', kind: 'service', capabilities: ['worker:take', 'pages:render'] })).key;
      for (const [name, leaseMs, more] of [['render', 60_000, {}], ['lookUp', 1_000, { risk: 'read' }], ['press', 1_000, {}]] as const)
        await server.admin('PUT', `agent/tools/${name}`, {
          kind: 'worker', description: 'Renders a page', inputSchema: { type: 'object' }, requiredCapabilities: ['pages:render'], risk: 'write', irreversible: false, worker: { leaseMs }, timeoutMs: 20_000, ...more,
        });
      connection.subscribe('harness.tools.>', { callback: (_error, { subject }) => void seen.push(subject) });
    });
    const work = (tools: readonly string[], handle: (call: NatsWorkerCall) => unknown, concurrency = 1, by: NatsConnection = connection) => {
      const stopping = new AbortController();
      const done = natsWorker(by, { key, siteId: 'site_demo', tools, handle, concurrency, signal: stopping.signal });
      let stopped: Promise<void> | undefined;
      const stop = () => (stopping.abort(), (stopped ??= done.catch(() => undefined)));
      ends.push(stop);
      return { stop, done };
    };
    const open = async () => (await goal(agent, 'Publish')).body.data.runId as string;
    const call = (runId: string, tool: string, args: Body = {}, callId?: string) => agent('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: args, ...(callId && { callId }) });

    it('[EXT-004] on the subject of their tool, each to one of them and once, with what came of it', async () => {
      const done: string[] = [];
      for (const name of ['one', 'two']) work(['render'], ({ callId, arguments: { page } }) => {
        done.push(callId);
        if (page === 'bad') throw new Error('No such page');
        return { by: name, page };
      }, 2);
      const runId = await open();
      const pages = Array.from({ length: 12 }, (_, n) => `p${n}`);
      const answers = await Promise.all(pages.map((page) => call(runId, 'render', { page }, page)));
      expect(answers.map(({ body }) => [body.data.status, body.data.result.page])).toEqual(pages.map((page) => ['executed', page]));
      expect(done.toSorted()).toEqual(pages.toSorted());
      expect(seen).toContain('harness.tools.site_demo.render');
      expect((await call(runId, 'render', { page: 'bad' }, 'bad')).body.data).toMatchObject({ status: 'failed', reason: 'No such page' });
    });

    it('[EXT-004] whose leases are kept by heartbeats; one that is lost is offered again when it may be repeated, and is in doubt otherwise', async () => {
      const runId = await open();
      const gone = await connect({ servers: nats.url });
      const started = { read: Promise.withResolvers<void>(), write: Promise.withResolvers<void>() };
      const never = work(['lookUp', 'press'], ({ callId, signal }) => (started[callId as 'read' | 'write'].resolve(), new Promise((_, fail) => signal.addEventListener('abort', fail))), 2, gone);
      const [read, write] = [call(runId, 'lookUp', {}, 'read'), call(runId, 'press', {}, 'write')];
      await Promise.all([started.read.promise, started.write.promise]);
      // The process is gone: no heartbeat comes any more.
      await gone.close();
      void never.done.catch(() => undefined);
      work(['lookUp', 'press'], async ({ callId }) => {
        // Longer than the lease, which lives by its heartbeats.
        await sleep(1_500);
        return callId;
      }, 2);
      expect((await read).body.data).toMatchObject({ status: 'executed', result: 'read' });
      expect((await write).body.data).toMatchObject({ status: 'indeterminate', approvalId: expect.any(String) });
    });

    it('[EXT-004] and only to keys that may carry them out', async () => {
      const poor = (await server.newKey({ name: 'poor', kind: 'service', capabilities: ['worker:take'] })).key;
      await expect(natsWorker(connection, { key: poor, siteId: 'site_demo', tools: ['render'], handle: () => undefined })).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN' });
      await expect(natsWorker(connection, { key: agent.key, siteId: 'site_demo', tools: ['render'], handle: () => undefined })).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN' });
    });

    it('lets no secret through the broker: a call that holds one is for workers that poll', async () => {
      const runId = await open();
      work(['render'], () => ({ never: true }));
      const asked = call(runId, 'render', { password: 'correct-horse-battery', note: SECRET }, 'secret');
      const renderer = server.as(key);
      const taken = (await renderer('POST', 'agent/worker/poll', { tools: ['render'], waitMs: 10_000 })).body.data;
      expect(taken.arguments).toEqual({ password: 'correct-horse-battery', note: SECRET });
      await renderer('POST', `agent/worker/calls/${taken.leaseId}/complete`, { result: { token: SECRET } });
      expect((await asked).body.data.status).toBe('executed');
      await complete(subscribe());
      expect(overheard.some((message) => message.includes(runId))).toBe(true);
      for (const secret of ['correct-horse-battery', SECRET]) expect(overheard.filter((message) => message.includes(secret))).toEqual([]);
    });
  });

  it('[NATS-006] starts without a broker, says so once, and keeps the checkpoint of its relay', async () => {
    const checkpoint = async () => (await server.pool.query<Body>(`SELECT position FROM es_consumer WHERE name = 'relay'`)).rows[0]?.position as string;
    const head = async () => String(await server.head());
    await server.stop();
    const before = await checkpoint();
    expect(before).toBe(await head());
    const environment = { DATABASE_URL: server.databaseUrl, HARNESS_DATA_DIR: server.dataDir, ...receiver.environment };
    const alone = await processes.start(environment);
    expect((await apiAt(alone.url)(agent.key)('POST', 'agent/goals', { title: 'Alone', agentName: 'robot' })).status).toBe(201);
    expect(await alone.stop()).toEqual({ code: 0, signal: null });
    expect(alone.output().split('NATS_URL is not set')).toHaveLength(2);
    expect(await checkpoint()).toBe(before);
    const back = await startServer(readConfig({ ...environment, PORT: '0', NATS_URL: nats.url, LOG_LEVEL: 'warn' }));
    expect(await eventually(checkpoint, (at) => at !== before, PATIENCE_MS)).not.toBe(before);
    await back.stop();
    expect(await checkpoint()).toBe(await head());
    expect(await messageCount()).toBe((await server.log()).length);
  }, 4 * PATIENCE_MS);

  it('[AUDIT-005] leaves every signed checkpoint with the broker and with the configured webhook, the last one included', async () => {
    const manager = await jetstreamManager(connection);
    const { state } = await manager.streams.info('HARNESS_CHECKPOINTS');
    const stored: Body[] = [];
    for (let seq = 1; seq <= state.last_seq; seq++) stored.push((await manager.streams.getMessage('HARNESS_CHECKPOINTS', { seq }))!.json());
    const { rows } = await server.pool.query<Body>(`SELECT position, encode(chain, 'hex') AS chain, encode(signature, 'base64') AS signature FROM es_signed_checkpoint ORDER BY position`);
    const told = ({ position, chain, signature }: Body) => [position, chain, (signature as string).replaceAll('\n', '')] as const;
    expect(stored.map(told)).toEqual(rows.map(told));
    expect(rows.length).toBeGreaterThanOrEqual(2);
    expect(receiver.refused).toEqual([]);
    expect(receiver.received.map(told)).toEqual(rows.map(told));
  });
});
