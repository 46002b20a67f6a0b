import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createECDH, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { SMTPServer } from 'smtp-server';
import { createRequire } from 'node:module';
import { verifyWebhook } from '../../libs/sdk/src';
import { eventually } from './eventually';
import { sentEvents, testServer, type Api, type Body, type TestServer } from './server';

const ece = createRequire(createRequire(import.meta.url).resolve('web-push'))('http_ece') as { decrypt(body: Buffer, options: object): Buffer };

type Received = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer };

describe('Notifications', () => {
  let server: TestServer;
  let ada: Api & { readonly id: string };
  let robot: Api & { readonly id: string };
  let receiver: Server;
  let host: string;
  let smtp: SMTPServer;
  const mails: { to: string; text: string }[] = [];
  const received: Received[] = [];
  /** What the receiver answers under a path; 200 for others. `never` does not answer. */
  const answers = new Map<string, number | 'never'>();

  beforeAll(async () => {
    receiver = createServer((request, reply) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => {
        const path = request.url!;
        received.push({ path, headers: request.headers, body: Buffer.concat(chunks) });
        const answer = answers.get(path) ?? 200;
        if (answer !== 'never') reply.writeHead(answer).end();
      });
    });
    await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
    host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    smtp = new SMTPServer({
      authOptional: true, disabledCommands: ['STARTTLS'],
      onData: (stream, session, done) => {
        let text = '';
        stream.pipe(new Writable({ write: (chunk: Buffer, _encoding, next) => ((text += chunk.toString()), next()) })).on('finish', () => {
          mails.push({ to: session.envelope.rcptTo.map(({ address }) => address).join(), text: text.replaceAll('=\r\n', '').replaceAll('=3D', '=') });
          done();
        });
      },
    });
    await new Promise<void>((listening) => smtp.listen(0, '127.0.0.1', listening));
    server = await testServer({ SMTP_URL: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`, HARNESS_PUBLIC_URL: 'https://harness.example' });
    await server.admin('PUT', 'settings', { outbound: { allowHosts: [host] }, contentOs: { vetoWindow: true } });
    ada = await server.newKey({ name: 'Ada', kind: 'human', capabilities: ['approvals:decide', 'items:update', 'items:write'], roles: ['veto'] });
    robot = await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:update', 'items:write'] });
  });
  afterAll(async () => {
    await server.close();
    await new Promise<void>((closed) => smtp.close(() => closed()));
    receiver.closeAllConnections();
    receiver.close();
  });

  let asked = 0;
  /** A run that asks for an approval. */
  const ask = async (as: Api = robot) => {
    const { runId } = (await as('POST', 'agent/goals', { title: 'Ask', agentName: 'robot', approvalPolicy: 'before_execute' })).body.data as { runId: string };
    const { data } = (await as('POST', `agent/runs/${runId}/tool-calls`, { tool: 'createItem', arguments: { collection: 'products', data: { sku: `N-${++asked}`, title: 'HUSHHUSH arguments' } } })).body;
    return { runId, approvalId: data.approvalId as string };
  };
  const channel = (name: string, more: Body = {}) => ({ name, type: 'webhook', url: `http://${host}/${name}`, kinds: ['approval'], ...more });
  const putChannels = async (...channels: Body[]) => expect((await server.admin('PUT', 'notifications/channels', { channels })).status).toBe(200);
  const at = (path: string) => received.filter((each) => each.path === path);
  const untilReceived = (path: string, count = 1) => eventually(() => Promise.resolve(at(path)), ({ length }) => length >= count);
  const deliveriesOf = async (notificationId: string) => (await server.admin('GET', `notifications/deliveries?notificationId=${notificationId}&minPosition=${await server.head()}`)).body.data as Body[];

  it('[NOTIFY-005] tell of a parent goal that settles, and of no other goal', async () => {
    await putChannels(channel('goals', { kinds: ['goal', 'run'] }));
    const { goalId, runId } = (await server.admin('POST', 'agent/goals', { title: 'Parent', agentName: 'planner', agentRole: 'Planner' })).body.data as Record<string, string>;
    const parts = (await server.admin('POST', `agent/goals/${goalId}/decompose`, { goals: [{ title: 'Part', agentRole: 'Writer' }] })).body.data as Body;
    expect(parts.goals ?? parts.children).toHaveLength(1);
    await server.admin('POST', `agent/runs/${runId}/complete`, {});
    const childId = (parts.goals ?? parts.children)[0].goalId as string;
    const child = (await server.admin('POST', `agent/goals/${childId}/start`, { agentName: 'writer' })).body.data as Record<string, string>;
    await server.admin('POST', `agent/runs/${child['runId']!}/complete`, {});
    await server.admin('POST', `agent/goals/${goalId}/settle`, {});
    await eventually(() => Promise.resolve(at('/goals').map(({ body }) => JSON.parse(body.toString()) as Body)), (told) => told.some(({ kind }) => kind === 'goal') && told.some(({ id }) => id === child['runId']));
    const told = at('/goals').map(({ body }) => JSON.parse(body.toString()) as Body);
    expect(told.filter(({ kind }) => kind === 'goal').map(({ id }) => id as string)).toEqual([goalId]);
    expect(told.filter(({ kind }) => kind === 'run').map(({ id }) => id as string)).toEqual(expect.arrayContaining([runId, child['runId']]));
  });

  it('[NOTIFY-006] wait for no sink: a call and its decision are answered while one hangs and another fails', async () => {
    answers.set('/hangs', 'never').set('/fails', 500);
    await putChannels(channel('hangs'), channel('fails'));
    const { approvalId } = await ask();
    await untilReceived('/hangs');
    await untilReceived('/fails');
    const began = performance.now();
    const next = await ask();
    expect((await ada('POST', `agent/approvals/${approvalId}/decide`, { decision: 'approved' })).body.data).toMatchObject({ status: 'approved', call: { status: 'executed' } });
    expect((await ada('POST', `agent/approvals/${next.approvalId}/decide`, { decision: 'approved' })).status).toBe(200);
    // The sink may take 30 s before it counts as failed.
    expect(performance.now() - began).toBeLessThan(10_000);
    await putChannels();
  });

  it('[NOTIFY-015] [NOTIFY-019] show every attempt with its result; a failed one is tried again, and can be replayed', async () => {
    answers.set('/flaky', 503);
    await putChannels(channel('flaky'));
    const { approvalId } = await ask();
    await untilReceived('/flaky');
    const [failed] = await eventually(() => deliveriesOf(approvalId), ({ length }) => length === 1);
    expect(failed).toMatchObject({ notificationId: approvalId, kind: 'approval', sink: 'webhook', target: 'flaky', attempt: 1, status: 'failed', code: 'UPSTREAM_STATUS', detail: expect.stringContaining('503'), nextAttemptAt: expect.stringMatching(/Z$/) });
    // The next attempt is due in ten seconds; the clock of the outbox is moved there.
    await server.pool.query('UPDATE notification_outbox SET next_ms = 0 WHERE delivery_id = $1', [failed.deliveryId]);
    await eventually(() => deliveriesOf(approvalId), ({ length }) => length === 2);
    answers.delete('/flaky');
    expect((await server.admin('POST', `notifications/deliveries/${encodeURIComponent(failed.deliveryId as string)}/replay`, {})).body.data).toEqual({ deliveryId: failed.deliveryId });
    await eventually(() => deliveriesOf(approvalId), (rows) => rows.some(({ status }) => status === 'delivered'));
    expect((await deliveriesOf(approvalId)).map(({ attempt, status }) => [attempt as number, status as string])).toEqual([[3, 'delivered'], [2, 'failed'], [1, 'failed']]);
    // All attempts are one delivery to the receiver, and what was delivered is not sent again.
    expect(new Set(at('/flaky').map(({ headers }) => headers['x-harness-delivery']))).toEqual(new Set([failed.deliveryId]));
    expect((await server.admin('POST', `notifications/deliveries/${encodeURIComponent(failed.deliveryId as string)}/replay`, {})).status).toBe(403);
  });

  it('sign what they send to a program, so that the SDK verifies it', async () => {
    await server.admin('PUT', 'settings', { secrets: { hook: 'a-long-secret-of-the-hook' } });
    await putChannels(channel('signed', { secret: 'secret://hook' }));
    const { approvalId, runId } = await ask();
    const [request] = await untilReceived('/signed');
    const body = request!.body.toString();
    expect(await verifyWebhook({ secret: 'a-long-secret-of-the-hook', headers: request!.headers as Record<string, string>, body, now: new Date(), seen: new Set() as never })).toMatchObject({ ok: true });
    expect(JSON.parse(body)).toMatchObject({ id: approvalId, kind: 'approval', runId });
  });

  it('[NOTIFY-012] send a card with links to a Slack-compatible webhook, in the name of whom the admin chose', async () => {
    await putChannels(channel('slack', { type: 'slack', decidesAs: ada.id, kinds: ['approval', 'veto'] }));
    await ask();
    const [request] = await untilReceived('/slack');
    const card = JSON.parse(request!.body.toString()) as Body;
    expect(card).toMatchObject({ text: 'Approval needed: createItem', blocks: [{ type: 'header' }, { type: 'section' }, { type: 'actions' }] });
    expect(card.blocks[2].elements.map(({ text, url }: Body) => [text.text, url])).toEqual([['Approve', expect.stringMatching(/^https:\/\/harness\.example\/api\/v1\/decisions\//)], ['Reject', expect.any(String)]]);
    expect(request!.body.toString()).not.toContain('HUSHHUSH');

    await server.admin('PUT', 'agent/autonomy/grants', { agentRole: 'Writer', capability: 'items:update', level: 3 });
    const item = (await server.admin('POST', 'items/products', { data: { sku: 'V-1', title: 'Before' } })).body.data.id as string;
    const writer = await server.newKey({ name: 'writer', agentRole: 'Writer', capabilities: ['items:read', 'items:update'] });
    const { runId } = (await writer('POST', 'agent/goals', { title: 'Edit', agentName: 'writer', agentRole: 'Writer', approvalPolicy: 'before_commit' })).body.data as { runId: string };
    const staged = (await writer('POST', `agent/runs/${runId}/tool-calls`, { tool: 'updateItem', arguments: { collection: 'products', id: item, data: { title: 'After' } } })).body.data as Body;
    expect(staged.status).toBe('staged');
    const [, veto] = await untilReceived('/slack', 2);
    const link = new URL(JSON.parse(veto!.body.toString()).blocks[2].elements[0].url as string).pathname;
    expect((await (await fetch(`${server.url}${link}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })).json() as Body).data).toEqual({ subjectId: staged.stagingId, action: 'veto', status: 'vetoed' });
  });

  describe('by mail', () => {
    const linkIn = (text: string, label: string) => new URL(new RegExp(`${label}: (\\S+)`).exec(text)![1]!).pathname;
    const open = async (link: string) => fetch(`${server.url}${link}`);
    const press = async (link: string) => {
      const answer = await fetch(`${server.url}${link}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
      return { status: answer.status, body: (await answer.json()) as Body };
    };
    const mailAbout = async () => {
      const before = mails.length;
      const asking = await ask();
      const [mail] = await eventually(() => Promise.resolve(mails.slice(before)), ({ length }) => length > 0);
      return { ...asking, mail: mail! };
    };

    beforeAll(async () => {
      await putChannels();
      const { body } = await ada('PUT', 'notifications/preferences', { email: 'ada@example.org', kinds: { email: ['approval'], push: [] } });
      expect(body.data).toEqual({ email: 'ada@example.org', kinds: { email: ['approval'], push: [] }, quietHours: null, digestMinutes: null, pushSubscriptions: [] });
    });

    it('[NOTIFY-011] go out over SMTP, without arguments, and the address is nowhere in the log', async () => {
      const { mail } = await mailAbout();
      expect(mail).toMatchObject({ to: 'ada@example.org', text: expect.stringMatching(/^Subject: Approval needed: createItem/m) });
      expect(mail.text).not.toContain('HUSHHUSH');
      expect(JSON.stringify(await server.log())).not.toContain('ada@example.org');
    });

    it('[NOTIFY-021] [NOTIFY-022] carry a link that shows the request by GET and decides nothing, decides by POST, and once', async () => {
      const { mail, approvalId } = await mailAbout();
      const [approve, reject] = [linkIn(mail.text, 'Approve'), linkIn(mail.text, 'Reject')];
      for (let turn = 0; turn < 3; turn++) {
        const page = await open(approve);
        expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
        const html = await page.text();
        expect(html).toContain('Approval needed: createItem');
        expect(html).not.toContain('HUSHHUSH');
      }
      const status = async () => (await ada('GET', `agent/approvals/${approvalId}`)).body.data.status as string;
      expect(await status()).toBe('pending');
      const pressed = await Promise.all([press(approve), press(approve), press(approve)]);
      expect(pressed.map((each) => each.status).toSorted()).toEqual([200, 410, 410]);
      expect(pressed.find((each) => each.status === 200)!.body.data).toEqual({ subjectId: approvalId, action: 'approve', status: 'approved' });
      const { rows } = await server.pool.query<Body>(`SELECT data::jsonb AS data FROM es_event WHERE type = 'ApprovalApproved' AND stream_id = $1`, [`approval-${approvalId}`]);
      expect(rows.map(({ data }) => [data.by.id, data.channel, data.assurance])).toEqual([[ada.id, 'link', 'decision_link']]);
      expect((await press(reject)).body.code).toBe('ALREADY_DECIDED');
      expect((await open(approve)).status).toBe(200);
      expect(await (await open(approve)).text()).toContain('This link was used');
    });

    it('[NOTIFY-021] carry a link that is nobody else\'s: changed in a character it does not work, and it ends with the key of the person', async () => {
      const { mail, approvalId } = await mailAbout();
      const link = linkIn(mail.text, 'Approve');
      const [head, claims, signature] = link.slice('/api/v1/decisions/'.length).split('.') as [string, string, string];
      const forged = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()) as object, on: 'appr_other' })).toString('base64url');
      const late = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()) as object, exp: 4_102_444_800 })).toString('base64url');
      for (const token of [`${head}.${forged}.${signature}`, `${head}.${late}.${signature}`, 'x', `${head}.${claims}.`]) {
        expect([(await press(`/api/v1/decisions/${token}`)).body.code, (await open(`/api/v1/decisions/${token}`)).status]).toEqual(['GONE', 410]);
      }
      const { exp, iat } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: number; iat: number };
      expect(exp - iat).toBe(86_400);
      await server.admin('DELETE', `api-keys/${ada.id}`);
      expect((await press(link)).body.code).toBe('FORBIDDEN');
      expect((await server.admin('GET', `agent/approvals/${approvalId}`)).body.data.status).toBe('pending');
    });

    it('[NOTIFY-018] are collected into one message by a digest', async () => {
      const eve = await server.newKey({ name: 'Eve', kind: 'human', capabilities: ['approvals:decide'] });
      await eve('PUT', 'notifications/preferences', { email: 'eve@example.org', kinds: { email: ['approval'], push: [] }, digestMinutes: 1_440 });
      const before = mails.length;
      const about = [await ask(), await ask(), await ask()];
      await eventually(async () => (await server.pool.query(`SELECT 1 FROM notification_outbox WHERE target_key = $1`, [`email:${eve.id}`])).rowCount, (count) => count === 3);
      expect(mails.slice(before)).toEqual([]);
      await server.pool.query(`UPDATE notification_outbox SET next_ms = 0 WHERE target_key = $1`, [`email:${eve.id}`]);
      const [mail] = await eventually(() => Promise.resolve(mails.slice(before)), ({ length }) => length > 0);
      expect(mail).toMatchObject({ to: 'eve@example.org', text: expect.stringMatching(/^Subject: 3 notifications/m) });
      const toEve = async (approvalId: string) => (await deliveriesOf(approvalId)).filter(({ target }) => target === eve.id);
      await eventually(() => toEve(about[2]!.approvalId), ({ length }) => length === 1);
      expect(mails.slice(before)).toHaveLength(1);
      for (const { approvalId } of about) expect(await toEve(approvalId)).toMatchObject([{ status: 'delivered', together: 3 }]);
    });
  });

  it('[NOTIFY-010] reach a browser by Web Push with VAPID, encrypted so that its endpoint can read them', async () => {
    const eve = await server.newKey({ name: 'Eve', kind: 'human', capabilities: [] });
    const { publicKey } = (await eve('GET', 'notifications/push-key')).body.data as { publicKey: string };
    expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65);
    const browser = createECDH('prime256v1');
    browser.generateKeys();
    const auth = randomBytes(16);
    const endpoint = `http://${host}/push/eve`;
    const subscribed = await eve('POST', 'notifications/push-subscriptions', { endpoint, keys: { p256dh: browser.getPublicKey('base64url'), auth: auth.toString('base64url') } });
    expect([subscribed.status, JSON.stringify(await server.log()).includes(endpoint)]).toEqual([201, false]);
    const nobodys = await eve('POST', 'notifications/push-subscriptions', { endpoint, keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: 'A'.repeat(20) } });
    expect([nobodys.status, nobodys.body.code, nobodys.body.facts.errors.map(({ pointer }: Body) => pointer)]).toEqual([422, 'VALIDATION_FAILED', ['/keys/p256dh', '/keys/auth']]);
    const { approvalId } = await ask();
    const [request] = await untilReceived('/push/eve');
    expect(request!.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', authorization: expect.stringMatching(new RegExp(`^vapid t=.+, k=${publicKey}$`)) });
    expect(JSON.parse(ece.decrypt(request!.body, { version: 'aes128gcm', privateKey: browser, authSecret: auth.toString('base64url') }).toString())).toEqual({ id: approvalId, kind: 'approval', title: 'Approval needed: createItem', body: expect.any(String) });

    // The browser is gone: it is not told again, and the person's settings say so.
    answers.set('/push/eve', 410);
    await ask();
    await untilReceived('/push/eve', 2);
    await eventually(async () => (await eve('GET', 'notifications/preferences')).body.data as Body, ({ pushSubscriptions }) => pushSubscriptions.length === 0);
  });

  it('[NOTIFY-009] arrive in the room of the site, and of no other', async () => {
    const elsewhere = server.as((await server.admin('POST', 'sites', { name: 'Elsewhere' })).body.data.adminKey as string);
    const leave = new AbortController();
    const room = async (key: string) => fetch(`${server.url}/api/v1/notifications/stream`, { headers: { authorization: `Bearer ${key}` }, signal: leave.signal });
    const [here, there] = [await room(robot.key), await room(elsewhere.key)];
    const { approvalId } = await ask();
    const own = (await elsewhere('POST', 'agent/incidents', { source: 'human_report', severity: 'high', detail: 'Own' })).body.data as Body;
    const first = async (response: Response) => {
      for await (const { event, data } of sentEvents(response)) return [event, data.id];
      return undefined;
    };
    expect(await first(here)).toEqual(['approval', approvalId]);
    expect(await first(there)).toEqual(['incident', own.incidentId ?? own.id]);
    leave.abort();
    expect(((await elsewhere('GET', `notifications?minPosition=${await server.head()}`)).body.data as Body[]).map(({ kind }) => kind as string)).toEqual(['incident']);
  });

  it('[TRUST-032] tell of a demotion, which records its incident as the cause', async () => {
    await putChannels(channel('trust', { kinds: ['incident'] }));
    await server.admin('PUT', 'agent/autonomy/grants', { agentRole: 'Translator', capability: 'items:update', level: 3 });
    const incident = (await server.admin('POST', 'agent/incidents', { source: 'human_report', severity: 'medium', detail: 'HUSHHUSH', agentRole: 'Translator', capability: 'items:update' })).body.data as Body;
    const { rows } = await server.pool.query<Body>(`SELECT data::jsonb AS data FROM es_event WHERE type = 'AutonomyDemoted' ORDER BY position DESC LIMIT 1`);
    expect(rows[0].data).toMatchObject({ agentRole: 'Translator', capability: 'items:update', from: 3, incidentId: incident.id });
    const [request] = await untilReceived('/trust');
    expect(JSON.parse(request!.body.toString())).toMatchObject({ id: incident.id, kind: 'incident', text: expect.stringContaining('Translator fell from level 3 to 2 for items:update') });
    expect(request!.body.toString()).not.toContain('HUSHHUSH');
  });

  it('[NOTIFY-007] stay in the inbox when nothing was sent, as for a flow of the night', async () => {
    await putChannels(channel('all', { kinds: ['approval', 'veto', 'incident', 'run', 'goal'] }));
    const { id } = (await server.admin('POST', 'agent/flows', { name: 'Nightly', trigger: { on: 'cron', expression: '0 2 * * *', tz: 'UTC' }, operations: [{ do: 'run-skill', tool: 'listCollections', arguments: {} }], capabilities: ['schema:read'] })).body.data as { id: string };
    const { runId } = (await server.admin('POST', `agent/flows/${id}/run`, {})).body.data as { runId: string };
    const listed = async () => (await server.admin('GET', `notifications?kind=run&minPosition=${await server.head()}`)).body.data as Body[];
    await eventually(listed, (rows) => rows.some((row) => row.id === runId));
    // What comes after it is told, so the flow was passed over and is not on its way.
    const { approvalId } = await ask();
    await eventually(() => Promise.resolve(at('/all').map(({ body }) => (JSON.parse(body.toString()) as Body).id as string)), (ids) => ids.includes(approvalId));
    expect(at('/all').map(({ body }) => (JSON.parse(body.toString()) as Body).id as string)).not.toContain(runId);
    expect(await deliveriesOf(runId)).toEqual([]);
  });

  it('[NOTIFY-008] change no decision: the door decides with sinks as without', async () => {
    const decided = async () => {
      const { runId } = (await robot('POST', 'agent/goals', { title: 'Same', agentName: 'robot' })).body.data as { runId: string };
      const calls = [['getItem', { collection: 'products', id: 'item_none' }], ['createItem', { collection: 'products', data: { sku: 'D', title: 'D' } }], ['deleteItem', { collection: 'products', id: 'item_none' }], ['deleteCollection', { collection: 'products' }], ['nothing', {}]] as const;
      for (const [tool, args] of calls) await robot('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: args });
      const { rows } = await server.pool.query<Body>(`SELECT type, data::jsonb->'decision' AS decision FROM es_event WHERE stream_id = $1 AND type LIKE 'ToolCall%' ORDER BY version`, [`run-${runId}`]);
      return rows.map(({ type, decision }) => ({ type, decision: decision && { ...decision, evidence: undefined } }));
    };
    await putChannels();
    const without = await decided();
    await putChannels(channel('all2', { kinds: ['approval', 'veto', 'incident', 'run', 'goal'] }), channel('fails'));
    expect(await decided()).toEqual(without);
    expect(without.length).toBeGreaterThan(4);
  });

  it('refuse what is no channel or preference, and those who may not say', async () => {
    const codes = async (as: Api, method: string, path: string, body?: unknown) => {
      const answer = await as(method, `notifications/${path}`, body);
      return [answer.status, answer.body.code];
    };
    expect(await codes(server.admin, 'PUT', 'channels', { channels: [channel('a'), channel('a')] })).toEqual([422, 'VALIDATION_FAILED']);
    expect(await codes(server.admin, 'PUT', 'preferences', { quietHours: { from: '22:00', to: '07:00', timeZone: 'Mars/Olympus' } })).toEqual([422, 'VALIDATION_FAILED']);
    expect(await codes(robot, 'PUT', 'preferences', {})).toEqual([403, 'FORBIDDEN']);
    expect(await codes(robot, 'PUT', 'channels', { channels: [] })).toEqual([403, 'FORBIDDEN']);
    expect(await codes(robot, 'GET', 'deliveries')).toEqual([403, 'FORBIDDEN']);
    expect(await codes(server.admin, 'DELETE', 'push-subscriptions/none')).toEqual([403, 'FORBIDDEN']);
    expect(await codes(server.admin, 'POST', 'deliveries/none/replay', {})).toEqual([403, 'FORBIDDEN']);
  });
});
