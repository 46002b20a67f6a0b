import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Global, Module } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { z } from 'zod';
import { CqrsModule } from '@app/cqrs';
import { canonicalJson, EventStore, PostgresEventStore, verifyProof, type NewEvent } from '@app/event-store';
import { KnownKeys, principalOf, startHttp, type RunningHttp } from '@app/http/testing';
import { Catalogue, eventFamily, type Context } from '@app/kernel';
import { context } from '@app/kernel/testing';
import { migrateProjections, PostgresReadModels, ProjectionsRuntime, ReadModels, type AnyProjection } from '@app/projections';
import { testDatabase } from '../../../test/database';
import { AuditModule } from './audit.module';
import { auditEvents } from './audit-events/audit-event.projection';
import type { AuditEventView } from './audit-events/audit-event.view';

const catalogue = new Catalogue(
  eventFamily('note', {
    Noted: z.object({ text: z.string() }),
    Renamed: { version: 2, schema: z.object({ title: z.string() }), upcasts: { 1: (data: { name: string }) => ({ title: data.name }) } },
  }),
  eventFamily('counter', { Counted: z.object({ by: z.number() }) }),
);
const noted = (text: string): NewEvent => ({ type: 'Noted', data: { text } });

type Listed<Item> = { readonly data: readonly Item[]; readonly nextCursor: string | null; readonly position: string };

/** The messages of an event stream that ends. */
const messagesOf = (text: string) =>
  text.trim().split('\n\n').map((message) => {
    const fields = new Map(message.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
    return { id: fields.get('id'), event: fields.get('event'), data: JSON.parse(fields.get('data')!) as Record<string, unknown> };
  });

describe('The audit', () => {
  let store: PostgresEventStore;
  let pool: Pool;
  let http: RunningHttp;
  let dataDir: string;
  let position: bigint;
  const closers: (() => Promise<unknown>)[] = [];
  const as = (key: string) => ({ authorization: `Bearer ${key}` });
  const get = (path: string, key = 'hk_auditor', headers: Record<string, string> = {}) => http.request(`/api/v1/audit/${path}`, { headers: { ...as(key), ...headers } });
  const list = async (query: string, key?: string) => (await (await get(`events?minPosition=${position}&${query}`, key)).json()) as Listed<AuditEventView>;
  const write = async (streamId: string, events: readonly NewEvent[], overrides: Partial<Context>) => {
    const result = await store.append([{ streamId, expected: 'any', events }], [], context(overrides));
    if (!result.ok) throw new Error(JSON.stringify(result));
    position = result.position;
  };

  beforeAll(async () => {
    const { drop, ...connection } = await testDatabase();
    closers.push(drop);
    pool = new Pool({ ...connection, max: 3 });
    pool.on('error', () => undefined);
    closers.push(() => pool.end());
    const client = await pool.connect();
    await migrateProjections(client);
    client.release();
    store = await new PostgresEventStore({ connection, catalogue }).start();
    closers.push(() => store.close());
    const projections = [auditEvents] as unknown as readonly AnyProjection[];
    const runtime = new ProjectionsRuntime({ connection, store, projections });
    await runtime.start();
    closers.push(() => runtime.stop());
    const reads = await PostgresReadModels.connect({ connection, projections, progress: runtime.progress });
    closers.push(() => reads.close());
    dataDir = await mkdtemp(join(tmpdir(), 'audit-'));
    closers.push(() => rm(dataDir, { recursive: true }));

    const platform = [{ provide: EventStore, useValue: store }, { provide: ReadModels, useValue: reads }, { provide: Pool, useValue: pool }];
    @Global()
    @Module({ providers: platform, exports: platform })
    class Platform {}
    http = await startHttp({ imports: [CqrsModule, Platform, AuditModule.register({ dataDir })] }, {
      authenticator: new KnownKeys({
        hk_auditor: principalOf({ capabilities: ['audit:read'] }), hk_admin: principalOf({ roles: ['admin'] }), hk_nobody: principalOf(),
        hk_other: principalOf({ id: 'key_eve', siteId: 'site_b', sites: ['site_b'], capabilities: ['audit:read'] }),
      }),
    });
    closers.push(() => http.close());

    await write('note-1', [noted('one'), noted('two')], { now: new Date('2030-01-01T10:00:00.000Z') });
    await write('note-2', [noted('three')], { now: new Date('2030-01-01T11:00:00.000Z'), actor: { kind: 'agent', id: 'key_bot', role: 'writer' } });
    await write('note-9', [noted('of another site')], { siteId: 'site_b', now: new Date('2030-01-01T11:30:00.000Z') });
    await write('counter-1', [{ type: 'Counted', data: { by: 3 } }], { now: new Date('2030-01-01T12:00:00.000Z') });
    await write('note-1', [{ type: 'Renamed', data: { title: 'new' } }], { now: new Date('2030-01-01T13:00:00.000Z') });
  });
  afterAll(async () => {
    for (let close = closers.pop(); close; close = closers.pop()) await close();
  });

  describe('of events', () => {
    it('[AUDIT-014] filters by site, stream, type, actor and time', async () => {
      const positions = async (query: string, key?: string) => (await list(query, key)).data.map((event) => event.position);
      expect(await positions('')).toEqual(['6', '5', '3', '2', '1']);
      expect(await positions('sort=position')).toEqual(['1', '2', '3', '5', '6']);
      expect(await positions('siteId=site_a')).toHaveLength(5);
      expect(await positions('', 'hk_other')).toEqual(['4']);
      expect(await positions('streamId=note-1')).toEqual(['6', '2', '1']);
      expect(await positions('category=counter')).toEqual(['5']);
      expect(await positions('type=Noted')).toEqual(['3', '2', '1']);
      expect(await positions('type=Counted,Renamed')).toEqual(['6', '5']);
      expect(await positions('actor=key_bot')).toEqual(['3']);
      expect(await positions('from=2030-01-01T11:00:00Z&to=2030-01-01T13:00:00Z')).toEqual(['5', '3']);
      expect(await positions(`from=${encodeURIComponent('2030-01-01T13:30:00+02:00')}&type=Noted`)).toEqual([]);
      expect(await positions('streamId=note-9')).toEqual([]);
    });

    it('answers the whole event as it was written, so that its leaf can be recomputed', async () => {
      const { data } = await list('sort=position');
      expect(data[2]).toMatchObject({ streamId: 'note-2', version: 1, actor: { kind: 'agent', id: 'key_bot', role: 'writer' }, data: { text: 'three' }, chain: { batch: '3' } });
      for (const { chain, actor: _actor, ...event } of data) {
        expect(createHash('sha256').update(canonicalJson(event)).digest('hex')).toBe(chain.leaf);
      }
    });

    it('pages with a cursor', async () => {
      const first = await list('limit=2');
      const second = await list(`limit=2&cursor=${first.nextCursor}`);
      const third = await list(`limit=2&cursor=${second.nextCursor}`);
      expect([first, second, third].map(({ data }) => data.map((event) => event.position))).toEqual([['6', '5'], ['3', '2'], ['1']]);
      expect(third.nextCursor).toBeNull();
    });

    it('is refused without audit:read, and for another site', async () => {
      expect(await (await get('events', 'hk_nobody')).json()).toMatchObject({ status: 403, code: 'FORBIDDEN' });
      expect((await get('events', 'hk_admin')).status).toBe(200);
      expect(await (await get('events?siteId=site_b')).json()).toMatchObject({ status: 403, code: 'CROSS_SITE' });
      expect((await get('events?from=yesterday')).status).toBe(422);
    });
  });

  it('[AUDIT-015] answers the inclusion proof of an event, which verifies with the public key alone', async () => {
    const [event] = (await list('type=Counted')).data;
    const answer = await get(`proof/${event!.eventId}`);
    expect(answer.status).toBe(200);
    const { data } = (await answer.json()) as { data: unknown };
    const publicKey = await readFile(join(dataDir, 'audit', 'checkpoint-key.pub.pem'), 'utf8');
    expect(verifyProof(data, publicKey)).toMatchObject({ ok: true, position: 5n, event: { eventId: event!.eventId, data: { by: 3 } } });
  });

  it('gives no proof of an event of another site, or of one that is not there', async () => {
    const [foreign] = (await list('', 'hk_other')).data;
    const answers = await Promise.all([foreign!.eventId, '0190f5c2-a7b6-7c3d-9e8f-000000000001', 'x'].map(async (id) => (await get(`proof/${id}`)).json()));
    expect(answers).toEqual([answers[0], answers[0], answers[0]]);
    expect(answers[0]).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect((await get(`proof/${foreign!.eventId}`, 'hk_nobody')).status).toBe(403);
  });

  it('[AUDIT-016] lists the signed checkpoints, newest first', async () => {
    for (const text of ['four', 'five']) {
      await write('note-1', [noted(text)], { now: new Date('2030-01-01T14:00:00.000Z') });
      const [event] = (await list('limit=1')).data;
      await get(`proof/${event!.eventId}`);
    }
    const page = async (query: string) => (await (await get(`checkpoints?${query}`)).json()) as Listed<{ position: string; signature: string }>;
    const all = await page('');
    expect(all.data.map((checkpoint) => checkpoint.position)).toEqual(['8', '7', '6']);
    expect(all).toMatchObject({ nextCursor: null, position: '8' });
    const file = (await readFile(join(dataDir, 'audit', 'checkpoints.ndjson'), 'utf8')).trim().split('\n').map((line) => JSON.parse(line) as unknown);
    expect(all.data).toEqual(file.reverse());
    const first = await page('limit=2');
    expect((await page(`limit=2&cursor=${first.nextCursor}`)).data.map((checkpoint) => checkpoint.position)).toEqual(['6']);
    expect((await get('checkpoints', 'hk_nobody')).status).toBe(403);
  });

  it('[AUDIT-017] streams the progress of a verification and ends with the verdict', async () => {
    const answer = await get('verify');
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    const messages = messagesOf(await answer.text());
    expect(messages[0]).toEqual({ id: undefined, event: 'progress', data: { verified: '0', total: '8' } });
    expect(messages.slice(0, -1).every(({ event }) => event === 'progress')).toBe(true);
    expect(messages.at(-1)).toMatchObject({ event: 'verdict', data: { ok: true, events: '8', head: '8', checkpoints: 3, signedUpTo: '8' } });
    expect((await get('verify', 'hk_nobody')).status).toBe(403);
    expect(messagesOf(await (await get('verify?after=5')).text()).at(-1)).toMatchObject({ event: 'verdict', data: { ok: true, events: '3' } });
  });

  it('streams the site\'s events as they are appended, and goes on after Last-Event-ID', async () => {
    const leave = new AbortController();
    const reader = (await http.request('/api/v1/audit/stream?type=Noted', { headers: { ...as('hk_auditor'), 'last-event-id': '2' }, signal: leave.signal })).body!
      .pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    const until = async (text: string) => {
      while (!seen.includes(text)) seen += (await reader.read()).value ?? '';
    };
    await until('"text":"five"');
    await write('note-9', [noted('again of another site')], { siteId: 'site_b' });
    await write('note-3', [noted('live')], {});
    await until('"text":"live"');
    leave.abort();
    const messages = messagesOf(seen.slice(0, seen.lastIndexOf('\n\n')));
    expect(messages.map(({ id, event }) => [id, event])).toEqual([['3', 'Noted'], ['7', 'Noted'], ['8', 'Noted'], ['10', 'Noted']]);
    expect(messages.at(-1)!.data).toMatchObject({ position: '10', siteId: 'site_a', actor: { id: 'key_ada' }, data: { text: 'live' } });
  });

  it('names the first bad position after somebody changed the log, without showing the event', async () => {
    await pool.query(`ALTER TABLE es_event DISABLE TRIGGER ALL; UPDATE es_event SET data = '{"text":"secret of site b"}' WHERE position = 4`);
    const text = await (await get('verify')).text();
    expect(messagesOf(text).at(-1)).toMatchObject({ event: 'verdict', data: { ok: false, position: '4', reason: 'changed_event' } });
    expect(text).not.toContain('secret');
  });
});
