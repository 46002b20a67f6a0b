import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { canonicalJson } from '@app/event-store';
import { verifyWebhook } from '../../libs/sdk/src';
import { readConfig } from '../../apps/gateway/src/config';
import { startServer } from '../../apps/gateway/src/server';
import { readCef } from '../../libs/cdc/src/forms/cef-line.examples';
import { testNats, type TestNats } from '../nats';
import { MASTER_KEY } from './clocked-worker';
import { CountingServer } from './counting-server';
import { eventually } from './eventually';
import { testServer, type Api, type Body, type TestServer } from './server';
import { SyslogReceiver } from './syslog-receiver';

/** What nobody outside may read: an argument of a call, which the log holds sealed. */
const ARGUMENT = 'only-for-the-tool-4711';
const FORMATS = ['json', 'cef'] as const;

describe('A subscription', () => {
  let nats: TestNats;
  let syslog: SyslogReceiver;
  let webhook: CountingServer;
  let server: TestServer;
  let admin: Api;
  let connection: NatsConnection;
  let elsewhere: Api & { readonly siteId: string };
  const environment = { HARNESS_MASTER_KEY: MASTER_KEY };

  beforeAll(async () => {
    [nats, syslog, webhook] = await Promise.all([testNats(), SyslogReceiver.start(), CountingServer.start()]);
    server = await testServer({ NATS_URL: nats.url, ...environment });
    ({ admin } = server);
    connection = await connect({ servers: nats.url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
    await admin('PUT', 'settings', { outbound: { allowHosts: [webhook.host, syslog.host] } });
    const { adminKey, siteId } = (await admin('POST', 'sites', { name: 'Elsewhere' })).body.data;
    elsewhere = Object.assign(server.as(adminKey as string), { siteId: siteId as string });
    await elsewhere('POST', 'collections', { name: 'products', fields: [{ name: 'sku', type: 'text' }, { name: 'title', type: 'text' }] });
  });
  afterAll(async () => {
    await connection.close();
    await server.close();
    await Promise.all([nats.stop(), syslog.close(), webhook.close()]);
  });

  const create = async (name: string, target: object, more: object = {}, by = admin): Promise<Body> => {
    const answer = await by('POST', 'cdc/subscriptions', { name, target, ...more });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body.data as Body;
  };
  const status = async ({ id }: Body, by = admin) => (await by('GET', `cdc/subscriptions/${id as string}`)).body.data as Body;
  const write = async (count: number, by = admin): Promise<string> => {
    let position = '';
    for (let nr = 0; nr < count; nr++) ({ position } = (await by('POST', 'items/products', { data: { sku: `S-${nr}`, title: `Item ${nr}` } })).body as { position: string });
    return position;
  };
  const reached = (subscription: Body, position: string, by = admin) => eventually(() => status(subscription, by), (now) => BigInt(now.position as string) >= BigInt(position));
  const inLog = async (site: string, from = '1', types?: readonly string[]) =>
    (await server.log()).filter(({ position, site_id, type }: Body) => site_id === site && BigInt(position as string) >= BigInt(from) && (types?.includes(type as string) ?? true)).map(({ position }: Body) => String(position));
  /** What JetStream keeps on a subject, oldest first. */
  const kept = async (subject: string): Promise<{ readonly text: string; readonly id: string; readonly type: string }[]> => {
    const { streams } = await jetstreamManager(connection);
    const { state } = await streams.info('HARNESS_CDC');
    const messages = [];
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      const message = await streams.getMessage('HARNESS_CDC', { seq });
      if (message?.subject === subject) messages.push({ text: message.string(), id: message.header.get('Nats-Msg-Id'), type: message.header.get('Content-Type') });
    }
    return messages;
  };
  /** Whoever is sent something at least once passes over what it knows. */
  const once = (positions: readonly string[]) => [...new Set(positions)];

  it('[CDC-002] can deliver to NATS: in order, once, to the subject of its site, also after an outage of the broker and again from a chosen position', async () => {
    const types = ['ItemCreated'];
    const made = await create('search', { type: 'nats', topic: 'search.index' }, { types });
    expect(made).toMatchObject({ target: { type: 'nats', topic: 'search.index', subject: 'cdc.site_demo.search.index' }, format: 'cloudevents', secret: null });
    const other = await create('search', { type: 'nats', topic: 'search.index' }, { types }, elsewhere);
    await Promise.all([write(8), write(3, elsewhere)]);
    const subject = 'cdc.site_demo.search.index';
    const positions = async (of = subject) => (await kept(of)).map(({ text }) => (JSON.parse(text) as Body).position as string);
    await reached(made, await write(1));
    await reached(other, await write(1, elsewhere), elsewhere);
    const first = await inLog('site_demo', made.fromPosition as string, types);
    expect(first).toHaveLength(9);
    expect(await positions()).toEqual(first);
    expect(await positions(`cdc.${elsewhere.siteId}.search.index`)).toEqual(await inLog(elsewhere.siteId, other.fromPosition as string, types));
    await elsewhere('DELETE', `cdc/subscriptions/${other.id as string}`);

    await nats.kill();
    const last = await write(4);
    expect(await eventually(() => status(made), ({ attempts }) => attempts > 0)).toMatchObject({ status: 'retrying', lastError: { code: 'BROKER_UNREACHABLE' } });
    await nats.restart('kept');
    expect(await reached(made, last)).toMatchObject({ status: 'idle', attempts: 0, lastError: null });
    const all = await inLog('site_demo', made.fromPosition as string, types);
    expect(await positions()).toEqual(all);

    // Within the time that the broker remembers the ids of messages.
    await admin('POST', `cdc/subscriptions/${made.id as string}/replay`, { fromPosition: all[10] });
    await reached(made, last);
    expect(await positions()).toEqual([...all, ...all.slice(10)]);
    const [message] = await kept(subject);
    expect(message!.type).toBe('application/cloudevents+json');
    expect(message!.id).toBe(`cdc:${made.id as string}:0:${(JSON.parse(message!.text) as Body).id as string}`);
    await admin('DELETE', `cdc/subscriptions/${made.id as string}`);
  });

  it('[AUDIT-019] carries the audit feed as CEF or JSON over NATS, syslog or a signed webhook: the whole log, through outages and a restart, and nothing sealed is opened', async () => {
    const targets = { nats: (name: string) => ({ type: 'nats', topic: name }), syslog: () => ({ type: 'syslog', address: `tcp://${syslog.host}` }), webhook: (name: string) => ({ type: 'webhook', url: `${webhook.url}/${name}` }) };
    const feeds = new Map<string, Body>();
    for (const format of FORMATS) for (const [type, target] of Object.entries(targets)) feeds.set(`${type}-${format}`, await create(`${type}-${format}`, target(`${type}-${format}`), { format, fromPosition: '1' }));
    const agent = await server.newKey({ name: 'robot', capabilities: ['items:write'] });
    const { runId } = (await agent('POST', 'agent/goals', { title: 'Tidy', agentName: 'robot' })).body.data;
    for (const tool of ['createItem', 'noSuchTool']) await agent('POST', `agent/runs/${runId as string}/tool-calls`, { tool, arguments: { collection: 'nowhere', data: { sku: ARGUMENT } } });

    await syslog.close();
    webhook.answer = () => ({ status: 503 });
    const troubled = await write(2);
    for (const name of ['syslog-json', 'webhook-cef']) expect(await eventually(() => status(feeds.get(name)!), ({ attempts }) => attempts > 0)).toMatchObject({ status: 'retrying' });
    expect((await status(feeds.get('syslog-json')!)).lastError).toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
    await reached(feeds.get('nats-cef')!, troubled);
    await server.stop();
    await syslog.open();
    webhook.answer = () => ({ status: 204 });
    const back = await startServer(readConfig({ DATABASE_URL: server.databaseUrl, HARNESS_DATA_DIR: server.dataDir, PORT: '0', NATS_URL: nats.url, LOG_LEVEL: 'warn', ...environment }));
    try {
      const wanted = await inLog('site_demo');
      const got = async (name: string): Promise<readonly string[]> => {
        const [type, format] = name.split('-') as [keyof typeof targets, (typeof FORMATS)[number]];
        if (type === 'nats') return (await kept(`cdc.site_demo.${name}`)).map(({ text }) => text);
        if (type === 'webhook') return webhook.received.filter(({ url }) => url === `/${name}`).map(({ text }) => text);
        return syslog.received.filter(({ text }) => text.startsWith('CEF:') === (format === 'cef')).map(({ text }) => text);
      };
      const positionOf = (text: string) => (text.startsWith('CEF:') ? readCef(text).extension['cn1']! : ((JSON.parse(text) as Body).position as string));
      for (const name of feeds.keys()) {
        const texts = await eventually(() => got(name), (now) => once(now.map(positionOf)).length >= wanted.length);
        expect([name, once(texts.map(positionOf))]).toEqual([name, wanted]);
        expect(texts.filter((text) => text.includes(ARGUMENT))).toEqual([]);
      }
      for (const text of await got('nats-json')) {
        const { chain, actor: _actor, ...event } = JSON.parse(text) as Body;
        expect(createHash('sha256').update(canonicalJson(event)).digest('hex')).toBe(chain.leaf);
      }
      const refused = (await got('syslog-cef')).map(readCef).find(({ signatureId }) => signatureId === 'ToolCallDenied')!;
      expect(refused).toMatchObject({ vendor: 'Agent Harness', name: 'Tool call denied', severity: 6, extension: { act: 'denied', outcome: 'failure', suser: agent.id, cat: 'run', cs6: runId, cs1: 'site_demo' } });
      expect(syslog.received.find(({ messageId }) => messageId === 'ToolCallDenied')).toMatchObject({ priority: 13 * 8 + 4, app: 'agent-harness' });
      const signed = webhook.received.filter(({ url }) => url === '/webhook-cef').at(-1)!;
      expect(await verifyWebhook({ secret: feeds.get('webhook-cef')!.secret as string, headers: signed.headers, body: signed.text, seen: new Set() })).toMatchObject({ ok: true });
    } finally {
      await back.stop();
    }
  });
});
