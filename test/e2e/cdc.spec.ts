import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Harness, verifyWebhook } from '../../libs/sdk/src';
import { MASTER_KEY } from './clocked-worker';
import { CountingServer, type ReceivedCall } from './counting-server';
import { eventually } from './eventually';
import { Processes, type ReadyProcess } from './processes';
import { testServer, type Api, type Body, type TestServer } from './server';

/** The types that the tests below write by hand, so that what is delivered can be compared with the log. */
const ITEMS = ['ItemCreated', 'ItemPatched'];

describe('CDC subscriptions', () => {
  const processes = new Processes();
  let server: TestServer;
  let admin: Api;
  let receiver: CountingServer;
  let worker: ReadyProcess;

  const newWorker = () =>
    processes.start({ DATABASE_URL: server.databaseUrl, HARNESS_DATA_DIR: server.dataDir, HARNESS_ROLES: 'worker', HARNESS_MASTER_KEY: MASTER_KEY });

  beforeAll(async () => {
    receiver = await CountingServer.start();
    server = await testServer({ HARNESS_ROLES: 'gateway', HARNESS_MASTER_KEY: MASTER_KEY });
    ({ admin } = server);
    await admin('PUT', 'settings', { outbound: { allowHosts: [receiver.host] } });
    worker = await newWorker();
  });
  afterAll(async () => {
    await processes.cleanUp();
    await server.close();
    await receiver.close();
  });
  beforeEach(() => receiver.reset());

  const create = async (path: string, more: object = {}, by = admin): Promise<Body> => {
    const answer = await by('POST', 'cdc/subscriptions', { name: path, target: { type: 'webhook', url: `${receiver.url}/${path}` }, types: ITEMS, ...more });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body.data as Body;
  };
  const status = async ({ id }: Body, by = admin) => (await by('GET', `cdc/subscriptions/${id as string}`)).body.data as Body;
  const remove = ({ id }: Body) => admin('DELETE', `cdc/subscriptions/${id as string}`);
  const replay = ({ id }: Body, fromPosition: string) => admin('POST', `cdc/subscriptions/${id as string}/replay`, { fromPosition });
  /** Items, one after the other; gives the position of the last event. */
  const write = async (count: number, by = admin, collection = 'products'): Promise<string> => {
    let position = '';
    for (let nr = 0; nr < count; nr++) ({ position } = (await by('POST', `items/${collection}`, { data: { sku: `S-${nr}`, title: `Item ${nr}` } })).body as { position: string });
    return position;
  };
  const at = (path: string) => receiver.received.filter(({ url }) => url === `/${path}`);
  const positions = (calls: readonly ReceivedCall[]) => calls.map(({ body }) => BigInt(body.position as string));
  const inLog = async (from: string | bigint, types: readonly string[] = ITEMS, site = 'site_demo') =>
    (await server.log()).filter((event: Body) => BigInt(event.position as string) >= BigInt(from) && event.site_id === site && types.includes(event.type as string)).map((event: Body) => BigInt(event.position as string));
  const reached = (subscription: Body, position: string) => eventually(() => status(subscription), (now) => BigInt(now.position as string) >= BigInt(position));

  it('[CDC-005] can be listed, created, inspected, replayed and deleted over REST', async () => {
    const first = await write(2);
    const made = await create('rest', { fromPosition: '1', categories: ['item'] });
    expect(made).toMatchObject({ id: expect.stringMatching(/^sub_[0-9a-f]{32}$/), name: 'rest', types: ITEMS, categories: ['item'], fromPosition: '1', replays: 0, secret: expect.stringMatching(/^whsec_[\w-]{43}$/) });
    const { secret: _shown, ...view } = made;
    const all = (await admin('GET', `cdc/subscriptions?minPosition=${await server.head()}`)).body.data as Body[];
    expect(all).toEqual([view]);
    expect(await reached(made, first)).toEqual({ ...view, status: 'idle', position: first, lag: 0, attempts: 0, lastError: null, nextAttemptAt: null });
    const replayed = await replay(made, first);
    expect([replayed.status, replayed.body.data]).toMatchObject([200, { id: made.id, fromPosition: first, replays: 1 }]);
    for (const fromPosition of ['0', String((await server.head()) + 2n), 'x']) expect((await replay(made, fromPosition)).status).toBe(422);
    expect((await remove(made)).body.data).toEqual({ id: made.id, deleted: true });
    expect([(await remove(made)).status, (await replay(made, '1')).status, (await admin('GET', `cdc/subscriptions/${made.id as string}`)).status]).toEqual([410, 410, 410]);
    expect((await admin('GET', `cdc/subscriptions?minPosition=${await server.head()}`)).body.data).toEqual([]);
    const stream = (await server.log()).filter((event: Body) => event.stream_id === `subscription-${made.id as string}`) as Body[];
    expect(stream.map(({ type }) => type as string)).toEqual(['SubscriptionCreated', 'SubscriptionReplayed', 'SubscriptionDeleted']);
    expect(JSON.stringify(stream)).not.toContain(made.secret);
  });

  it('are managed by the SDK, too', async () => {
    const { cdc } = new Harness({ url: server.url, key: admin.key });
    const { data: made } = await cdc.create({ name: 'sdk', target: { type: 'webhook', url: `${receiver.url}/sdk` }, types: ['SiteCreated'] });
    expect(made.secret).toMatch(/^whsec_/);
    const ids: string[] = [];
    for await (const { id } of cdc.each()) ids.push(id);
    expect(ids).toEqual([made.id]);
    expect((await cdc.replay(made.id, { fromPosition: '1' })).data).toMatchObject({ id: made.id, replays: 1 });
    expect(await cdc.get(made.id)).toMatchObject({ id: made.id, fromPosition: '1', lastError: null });
    expect((await cdc.delete(made.id)).data).toEqual({ id: made.id, deleted: true });
    await expect(cdc.get(made.id)).rejects.toMatchObject({ status: 410, code: 'GONE' });
  });

  it('are for those who may manage them, and beside the door for no agent', async () => {
    const nobody = await server.newKey({ kind: 'human', capabilities: ['audit:read'] });
    expect((await nobody('GET', 'cdc/subscriptions')).status).toBe(403);
    const agent = await server.newKey({ capabilities: ['cdc:manage'] });
    expect((await agent('POST', 'cdc/subscriptions', { name: 'x', target: { type: 'webhook', url: 'https://a.example' } })).body).toMatchObject({ code: 'FORBIDDEN', facts: { tool: 'createCdcSubscription' } });
    expect((await agent('GET', 'cdc/subscriptions')).status).toBe(200);
  });

  it('say what is missing where they are to deliver to a message broker and this server has none', async () => {
    const answer = await admin('POST', 'cdc/subscriptions', { name: 'x', target: { type: 'nats', topic: 'x' } });
    expect([answer.status, answer.body]).toMatchObject([503, { code: 'UNAVAILABLE', detail: expect.stringContaining('NATS_URL'), facts: { missing: 'NATS_URL' } }]);
  });

  it('[CDC-001] [NOTIFY-013] [NOTIFY-014] deliver the events of their own site, signed, in the order of the log, and a captured delivery is refused', async () => {
    const { adminKey, siteId } = (await admin('POST', 'sites', { name: 'Elsewhere' })).body.data;
    const elsewhere = server.as(adminKey as string);
    await elsewhere('POST', 'collections', { name: 'products', fields: [{ name: 'sku', type: 'text' }, { name: 'title', type: 'text' }] });
    await admin('PUT', 'settings', { secrets: { hook: 'a secret of ours' } });
    const made = await create('own');
    const named = await create('named', { target: { type: 'webhook', url: `${receiver.url}/named`, secret: 'secret://hook' } });
    expect([named.secret, named.target.secret]).toEqual([null, 'secret://hook']);
    await Promise.all([write(15), write(15, elsewhere)]);
    const last = await write(1);
    for (const subscription of [made, named]) await reached(subscription, last);
    const wanted = await inLog(made.fromPosition as string);
    expect(wanted).toHaveLength(16);
    expect([positions(at('own')), positions(at('named'))]).toEqual([wanted, wanted]);
    const log = new Map(((await server.log()) as Body[]).map((event) => [event.position as string, event]));
    const seen = new Set<string>();
    for (const { body, text, headers } of at('own')) {
      const event = log.get(body.position as string)!;
      expect(body).toMatchObject({
        specversion: '1.0', id: headers['x-harness-delivery'], source: '/sites/site_demo', type: event.type, subject: event.stream_id, datacontenttype: 'application/json', data: event.data, actorid: event.metadata.actor.id,
      });
      expect([body.source, headers['content-type']]).toEqual(['/sites/site_demo', 'application/cloudevents+json']);
      expect(await verifyWebhook({ secret: made.secret as string, headers, body: text, seen })).toMatchObject({ ok: true, deliveryId: body.id });
      expect(await verifyWebhook({ secret: made.secret as string, headers, body: text, seen })).toEqual({ ok: false, detail: 'The request has been received before.' });
      expect(await verifyWebhook({ secret: 'another', headers, body: text, seen })).toMatchObject({ ok: false });
    }
    for (const { headers, text } of at('named')) expect(await verifyWebhook({ secret: 'a secret of ours', headers, body: text, seen: new Set() })).toMatchObject({ ok: true });
    expect(JSON.stringify(receiver.received.map(({ text }) => text))).not.toContain(siteId);
    for (const subscription of [made, named]) await remove(subscription);
  });

  it('try again until a delivery is taken, before the next one, and hold up nobody else meanwhile', async () => {
    const refusing = await create('refusing');
    const taking = await create('taking');
    let refusals = 2;
    receiver.answer = ({ url }) => ({ status: url === '/refusing' && refusals-- > 0 ? 500 : 204 });
    const last = await write(5);
    expect(await reached(taking, last)).toMatchObject({ status: 'idle', lag: 0 });
    const behind = await eventually(() => status(refusing), ({ attempts }) => attempts === 2);
    expect(behind).toMatchObject({
      status: 'retrying', attempts: 2, lag: 5, nextAttemptAt: expect.any(String), lastError: { code: 'UPSTREAM_STATUS', detail: `http://${receiver.host} answered 500.`, eventId: at('refusing')[0]!.body.id, at: expect.any(String) },
    });
    expect(BigInt(behind.position as string)).toBeLessThan(positions(at('refusing'))[0]!);
    expect(await reached(refusing, last)).toMatchObject({ status: 'idle', attempts: 0, lastError: null });
    const wanted = await inLog(refusing.fromPosition as string);
    expect(positions(at('refusing'))).toEqual([wanted[0], wanted[0], ...wanted]);
    expect(positions(at('taking'))).toEqual(wanted);
    expect(new Set(at('refusing').slice(0, 3).map(({ headers }) => headers['x-harness-signature'])).size).toBe(3);
    await remove(taking);
    await remove(refusing);
  });

  it('[CDC-003] deliver again from a chosen position, also out of trouble, and nothing of the round before once that is answered', async () => {
    const made = await create('again');
    const last = await write(6);
    await reached(made, last);
    const wanted = await inLog(made.fromPosition as string);
    expect(positions(at('again'))).toEqual(wanted);
    receiver.reset();
    await replay(made, String(wanted[2]));
    expect((await eventually(() => Promise.resolve(at('again')), (calls) => calls.length >= 4)).map(({ body }) => BigInt(body.position as string))).toEqual(wanted.slice(2));
    receiver.reset();
    receiver.answer = () => ({ status: 503 });
    await replay(made, String(wanted[0]));
    await eventually(() => status(made), ({ attempts }) => attempts >= 1);
    const refused = at('again').length;
    receiver.answer = () => ({ status: 200 });
    expect((await replay(made, String(wanted[4]))).body.data).toMatchObject({ replays: 3 });
    await reached(made, last);
    expect(positions(at('again').slice(refused))).toEqual(wanted.slice(4));
    expect(await status(made)).toMatchObject({ status: 'idle', attempts: 0, lastError: null, fromPosition: String(wanted[4]) });
    await remove(made);
  });

  it('deliver nothing any more once their deletion was answered', async () => {
    const made = await create('deleted');
    const release = receiver.hold();
    await write(5);
    await receiver.until(1);
    await remove(made);
    release();
    const marker = await create('marker');
    await reached(marker, await write(1));
    expect(at('deleted')).toHaveLength(1);
    await eventually(async () => (await server.pool.query(`SELECT 1 FROM es_consumer WHERE name LIKE 'cdc:${made.id as string}:%'`)).rowCount, (count) => count === 0);
    expect((await server.pool.query('SELECT 1 FROM vault_key WHERE subject = $1', [`subscription:${made.id as string}`])).rowCount).toBe(0);
    await remove(marker);
  });

  it('reach no host that the site did not open', async () => {
    await admin('PUT', 'settings', { outbound: { allowHosts: [] } });
    const made = await create('closed');
    const last = await write(1);
    expect(await eventually(() => status(made), ({ attempts }) => attempts > 0)).toMatchObject({ status: 'retrying', lastError: { code: 'ADDRESS_REFUSED' } });
    expect(at('closed')).toEqual([]);
    await admin('PUT', 'settings', { outbound: { allowHosts: [receiver.host] } });
    await reached(made, last);
    expect(positions(at('closed'))).toEqual(await inLog(made.fromPosition as string));
    await remove(made);
  });

  it('[SKILL-013] are managed by agents through the door, which asks a person before anything is sent', async () => {
    const agent = await server.newKey({ name: 'robot', capabilities: ['cdc:manage'] });
    const { runId } = (await agent('POST', 'agent/goals', { title: 'Feed the index', agentName: 'robot' })).body.data;
    const call = async (tool: string, args: object): Promise<Body> => (await agent('POST', `agent/runs/${runId as string}/tool-calls`, { tool, arguments: args })).body.data as Body;
    const approved = async (tool: string, args: object): Promise<Body> => {
      const asked = await call(tool, args);
      expect([tool, asked.status]).toEqual([tool, 'pending_approval']);
      const { data } = (await admin('POST', `agent/approvals/${asked.approvalId as string}/decide`, { decision: 'approved' })).body;
      expect([tool, data.call.status]).toEqual([tool, 'executed']);
      return data.call.result as Body;
    };
    const created = await approved('createCdcSubscription', { name: 'Index', target: { type: 'webhook', url: `${receiver.url}/skill` }, types: ITEMS });
    expect(created).toMatchObject({ target: { secret: 'secret://webhook-signing' }, secret: null });
    const last = await write(2);
    await reached(created, last);
    expect(await call('listCdcSubscriptions', {})).toMatchObject({ status: 'executed', result: { rows: [{ id: created.id }] } });
    expect(await call('getCdcSubscriptionStatus', { id: created.id })).toMatchObject({ status: 'executed', result: { id: created.id, position: last } });
    await approved('replayCdcSubscription', { id: created.id, fromPosition: created.fromPosition });
    expect(await eventually(() => Promise.resolve(at('skill').length), (count) => count >= 4)).toBe(4);
    await approved('deleteCdcSubscription', { id: created.id });
    expect(await call('getCdcSubscriptionStatus', { id: created.id })).toMatchObject({ status: 'failed' });
    const tools = ((await admin('GET', 'agent/tools?limit=200')).body.data as Body[]).filter(({ requiredCapabilities }) => (requiredCapabilities as string[]).includes('cdc:manage'));
    expect(tools.map(({ name, dangerous }) => [name, dangerous] as const).toSorted()).toEqual([
      ['createCdcSubscription', true], ['deleteCdcSubscription', true], ['getCdcSubscriptionStatus', false], ['listCdcSubscriptions', false], ['replayCdcSubscription', true],
    ]);
    const weak = await server.newKey({ name: 'weak', capabilities: ['audit:read'] });
    const run = (await weak('POST', 'agent/goals', { title: 'x', agentName: 'weak' })).body.data.runId as string;
    const wanted = { listCdcSubscriptions: {}, createCdcSubscription: { name: 'x', target: { type: 'webhook', url: receiver.url } }, deleteCdcSubscription: { id: created.id } };
    for (const [tool, args] of Object.entries(wanted)) expect((await weak('POST', `agent/runs/${run}/tool-calls`, { tool, arguments: args })).body.data).toMatchObject({ status: 'denied', reason: 'capability_missing' });
  });

  it('[CDC-004] go on from their stored position when the process that delivers dies, or stops, and leave out nothing', async () => {
    const both = [worker, await newWorker()];
    const made = await create('lasting');
    await reached(made, await write(3));
    const { rows } = await server.pool.query<Body>('SELECT owner FROM es_consumer WHERE name = $1', [`cdc:${made.id as string}:0`]);
    const leads = ({ pid }: ReadyProcess) => (rows[0].owner as string).split('/')[1] === String(pid);
    // In the middle of a delivery: it was sent, and nobody hears that it was taken.
    const release = receiver.hold();
    await write(4);
    await receiver.until(4);
    await both.find(leads)!.kill();
    release();
    await reached(made, await write(3));
    const afterCrash = positions(at('lasting'));
    const wanted = await inLog(made.fromPosition as string);
    expect(wanted).toHaveLength(10);
    expect(afterCrash).toEqual([...wanted.slice(0, 4), ...wanted.slice(3)]);
    await both.find((one) => !leads(one))!.stop();
    const last = await write(4);
    expect(await status(made)).toMatchObject({ status: 'delivering', lag: 4 });
    await newWorker();
    await reached(made, last);
    expect(positions(at('lasting')).slice(afterCrash.length)).toEqual((await inLog(made.fromPosition as string)).slice(wanted.length));
  });
});
