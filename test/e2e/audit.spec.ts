import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson, verifyProof } from '@app/event-store';
import { sentEvents, testServer, type Api, type Body, type TestServer } from './server';

describe('The audit of a working server', () => {
  let server: TestServer;
  let agent: Api & { readonly id: string };
  let auditor: Api;
  let elsewhere: Api;
  let runId: string;
  let log: readonly Body[];

  beforeAll(async () => {
    server = await testServer();
    agent = await server.newKey({ name: 'robot', capabilities: ['items:read', 'schema:read'] });
    auditor = await server.newKey({ kind: 'human', capabilities: ['audit:read'] });
    elsewhere = server.as((await server.admin('POST', 'sites', { name: 'Elsewhere' })).body.data.adminKey as string);
    await elsewhere('POST', 'collections', { name: 'secrets', fields: [{ name: 'word', type: 'text' }] });
    runId = (await agent('POST', 'agent/goals', { title: 'Look', agentName: 'robot' })).body.data.runId as string;
    for (const tool of ['listCollections', 'noSuchTool', 'listCollections']) await agent('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: {} });
    log = await server.log();
  });
  afterAll(() => server.close());

  const events = async (query: string, as: Api = auditor) => {
    const found: Body[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, body } = await as('GET', `audit/events?minPosition=${String(log.at(-1).position)}&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(status).toBe(200);
      found.push(...(body.data as Body[]));
      cursor = body.nextCursor as string | null;
    }
    return found;
  };
  const positions = async (query: string, as?: Api) => (await events(query, as)).map(({ position }) => position as string);
  const expected = (matches: (event: Body) => boolean, site = 'site_demo') =>
    log.filter((event) => event.site_id === site && matches(event)).map(({ position }) => String(position)).reverse();
  const stream = async (path: string, headers: Record<string, string> = {}, signal: AbortSignal | null = null) =>
    fetch(`${server.url}/api/v1/audit/${path}`, { headers: { authorization: `Bearer ${auditor.key}`, ...headers }, signal });

  it('[AUDIT-014] finds every event of the site, by stream, type, actor and time', async () => {
    expect(await positions('')).toEqual(expected(() => true));
    expect(await positions('limit=7&siteId=site_demo')).toEqual(expected(() => true));
    const ofOther = log.find((event) => event.type === 'CollectionCreated' && event.site_id !== 'site_demo').site_id as string;
    expect(await positions('', elsewhere)).toEqual(expected(() => true, ofOther));
    expect((await auditor('GET', `audit/events?siteId=${ofOther}`)).body.code).toBe('CROSS_SITE');

    expect(await positions(`streamId=run-${runId}`)).toEqual(expected((event) => event.stream_id === `run-${runId}`));
    expect(await positions('type=ToolCallDenied')).toEqual(expected((event) => event.type === 'ToolCallDenied'));
    expect(await positions('type=RunStarted,ToolCallSucceeded')).toEqual(expected((event) => ['RunStarted', 'ToolCallSucceeded'].includes(event.type as string)));
    expect(await positions(`actor=${agent.id}`)).toEqual(expected((event) => event.metadata.actor.id === agent.id));

    const [first, last] = await events(`streamId=run-${runId}&sort=position`).then((found) => [found[0].occurredAt as string, found.at(-1).occurredAt as string]);
    const at = new Map((await events('')).map(({ position, occurredAt }) => [position as string, occurredAt as string]));
    const between = (event: Body) => at.get(String(event.position))! >= first! && at.get(String(event.position))! < last!;
    expect(await positions(`from=${first}&to=${last}`)).toEqual(expected(between));
    expect(await positions(`from=${first}&to=${last}&streamId=run-${runId}&type=ToolCallDenied&actor=${agent.id}`)).toEqual(
      expected((event) => between(event) && event.type === 'ToolCallDenied' && event.stream_id === `run-${runId}`),
    );
  });

  it('shows each event so that its leaf can be computed from what was shown', async () => {
    for (const { chain, actor: _actor, ...event } of await events('')) expect(createHash('sha256').update(canonicalJson(event)).digest('hex')).toBe(chain.leaf);
  });

  it('[AUDIT-015] answers the proof of an event, which the public key alone verifies', async () => {
    const [event] = await events(`streamId=run-${runId}&type=ToolCallDenied`);
    const { status, body } = await auditor('GET', `audit/proof/${event.eventId}`);
    const publicKey = await readFile(join(server.dataDir, 'audit', 'checkpoint-key.pub.pem'), 'utf8');
    expect([status, verifyProof(body.data, publicKey)]).toMatchObject([200, { ok: true, position: BigInt(event.position as string), event: { eventId: event.eventId, data: event.data } }]);
    const forged = { ...body.data, event: (body.data.event as string).replace('"ToolCallDenied"', '"ToolCallFailed"') };
    expect([forged.event === body.data.event, verifyProof(forged, publicKey)]).toMatchObject([false, { ok: false }]);
  });

  it('[AUDIT-018] exports the selected events as lines of CloudEvents, in the order of the log, and goes on where an export ended', async () => {
    const exported = async (query: string) => {
      const answer = await stream(`export?${query}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
      return { position: answer.headers.get('x-position')!, lines: (await answer.text()).split('\n').slice(0, -1).map((line) => JSON.parse(line) as Body) };
    };
    const inOrder = (matches: (event: Body) => boolean) => expected(matches).reverse();
    const positionsOf = async (query: string) => (await exported(query)).lines.map(({ position }) => position as string);
    const whole = await exported('');
    expect(whole.lines.slice(0, inOrder(() => true).length).map(({ position }) => position)).toEqual(inOrder(() => true));
    for (const event of whole.lines) expect(event).toMatchObject({ specversion: '1.0', id: expect.any(String), source: '/sites/site_demo', type: expect.any(String), time: expect.stringMatching(/Z$/), datacontenttype: 'application/json' });
    const asStored = new Map(log.map((event) => [String(event.position), event.data as unknown]));
    for (const { position, data } of whole.lines.filter(({ type }) => type === 'ToolCallDenied')) expect(data).toEqual(asStored.get(position as string));
    expect(await positionsOf(`streamId=run-${runId}&type=ToolCallDenied,ToolCallSucceeded`)).toEqual(inOrder(({ stream_id, type }) => stream_id === `run-${runId}` && ['ToolCallDenied', 'ToolCallSucceeded'].includes(type as string)));
    expect(await positionsOf(`actor=${agent.id}&category=run`)).toEqual(inOrder(({ stream_id, metadata }) => (stream_id as string).startsWith('run-') && metadata.actor.id === agent.id));
    const [from, to] = [whole.lines[3].time as string, whole.lines[9].time as string];
    expect(await positionsOf(`from=${from}&to=${to}`)).toEqual(whole.lines.filter(({ time }) => time >= from && time < to).map(({ position }) => position as string));
    expect(await positionsOf(`after=${whole.lines[4].position}`)).toEqual(whole.lines.slice(5).map(({ position }) => position as string));
    await server.admin('POST', 'collections', { name: 'later', fields: [] });
    expect((await exported(`after=${whole.position}`)).lines.map(({ type }) => type as string)).toContain('CollectionCreated');
    expect((await auditor('GET', 'audit/export?from=then')).status).toBe(422);
  });

  it('signs the head of the chain when it is asked to', async () => {
    const { status, body } = await auditor('POST', 'audit/checkpoints', {});
    expect([status, BigInt(body.data.position as string) >= BigInt(log.at(-1).position as string)]).toEqual([200, true]);
    expect((await auditor('GET', 'audit/checkpoints?limit=1')).body.data).toEqual([body.data]);
  });

  it('[AUDIT-016] lists the signed checkpoints', async () => {
    const { data } = (await auditor('GET', 'audit/checkpoints')).body;
    const { rows } = await server.pool.query<Body>('SELECT position::text AS position, encode(chain, \'hex\') AS chain, key_id FROM es_signed_checkpoint ORDER BY position DESC');
    expect(data.map(({ position, chain, keyId }: Body) => ({ position, chain, key_id: keyId }))).toEqual(rows);
    expect(data.length).toBeGreaterThan(0);
    for (const one of data) expect(one).toEqual({ position: expect.any(String), chain: expect.stringMatching(/^[0-9a-f]{64}$/), signedAt: expect.stringMatching(/Z$/), keyId: expect.any(String), signature: expect.any(String) });
  });

  it('[AUDIT-017] streams the progress of a verification and ends with the verdict', async () => {
    const sent: Body[] = [];
    for await (const message of sentEvents(await stream('verify'))) sent.push(message);
    const head = String(await server.head());
    expect(sent.slice(0, -1).length).toBeGreaterThan(0);
    expect(new Set(sent.slice(0, -1).map(({ event }) => event))).toEqual(new Set(['progress']));
    expect(sent[0]!.data).toEqual({ verified: expect.any(String), total: head });
    expect(sent.at(-1)).toMatchObject({ event: 'verdict', data: { ok: true, events: head, head } });
  });

  it('[API-035] shows the events of the site as they are appended, and goes on where a client left', async () => {
    const leave = new AbortController();
    const following = await stream('stream', {}, leave.signal);
    const noted: Body[] = [];
    const write = (by: Api) => by('POST', 'collections', { name: `c${noted.length}_${by === elsewhere ? 'b' : 'a'}`, fields: [] });
    await write(elsewhere);
    await write(server.admin);
    for await (const message of sentEvents(following)) {
      noted.push(message);
      if (noted.length === 3) break;
      await write(elsewhere);
      await write(server.admin);
    }
    expect(noted.map(({ id, event, data }) => [id === data.position, event, data.siteId, data.actor.kind])).toEqual(Array(3).fill([true, 'CollectionCreated', 'site_demo', 'human']));
    const again: Body[] = [];
    for await (const message of sentEvents(await stream('stream', { 'last-event-id': noted[0]!.id as string }, leave.signal))) {
      again.push(message);
      if (again.length === 2) break;
    }
    expect(again).toEqual(noted.slice(1));
    leave.abort();
  });

  it('is for those who may read it', async () => {
    const plain = await server.newKey({ kind: 'human', capabilities: ['items:read'] });
    for (const path of ['events', 'checkpoints', 'verify', 'stream', 'proof/none', 'export']) {
      const answer = await plain('GET', `audit/${path}`);
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'FORBIDDEN']);
    }
  });
});
