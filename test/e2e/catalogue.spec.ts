import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { availableParallelism, loadavg } from 'node:os';
import { createGzip, gzipSync } from 'node:zlib';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { asSet, CLOCK_FIELDS, clockChanges, type ClockChange } from './clock-changes';
import { sentEvents, testServer, type Api, type Body, type TestServer } from './server';

const BATCH = 500;
const LINES = { 'content-type': 'application/x-ndjson' };

const inBatches = <T>(rows: readonly T[]): readonly (readonly T[])[] => Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, n) => rows.slice(n * BATCH, (n + 1) * BATCH));
const documents = (text: string): Body[] => text.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as Body);

describe('A catalogue of real data: every change of the clocks of every time zone from 1990 to 2020', () => {
  const rows = clockChanges(1990, 2020);
  let server: TestServer;
  let admin: Api;
  let agent: Api & { readonly id: string };
  let runId: string;
  let imported: { readonly answers: readonly Body[]; readonly seconds: number };
  const refreshes: { readonly position: bigint; readonly changes: number; readonly shown: number }[] = [];
  const stop = new AbortController();
  let listening: Promise<void>;

  const at = async () => ({ 'x-min-position': String(await server.head()) });
  const list = async (query: Record<string, string | number>): Promise<Body> => (await admin('GET', `items/changes?${new URLSearchParams(query as Record<string, string>).toString()}`)).body;
  const filtered = (filter: object, more: Record<string, string | number> = {}) => list({ filter: JSON.stringify(filter), limit: 200, ...more });

  beforeAll(async () => {
    server = await testServer();
    admin = server.admin;
    for (const name of ['changes', 'copies', 'others']) await admin('POST', 'collections', { name, fields: CLOCK_FIELDS });
    agent = await server.newKey({ name: 'importer', capabilities: ['items:read', 'items:write'] });
    const budget = { maxToolCalls: inBatches(rows).length + 1, timeoutMs: 120_000, maxWritesPerMinute: rows.length + BATCH - 1 };
    runId = (await agent('POST', 'agent/goals', { title: 'Import the clock changes', agentName: 'importer', budget, context: { collections: ['changes'] } })).body.data.runId as string;
    const stream = await fetch(`${server.url}/api/v1/items/changes/changes`, { headers: { authorization: `Bearer ${admin.key}` }, signal: stop.signal });
    listening = (async () => {
      for await (const { id, event, data } of sentEvents(stream)) {
        expect([event, data.collection]).toEqual(['refresh', 'changes']);
        // Asked for without a position: what is told can be read.
        const { rows: counted } = await server.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM items WHERE collection = 'changes'`);
        refreshes.push({ position: BigInt(id!), changes: data.changes as number, shown: counted[0]!.n });
      }
    })().catch(() => undefined);
    const started = performance.now();
    const answers: Body[] = [];
    for (const items of inBatches(rows)) answers.push((await agent('POST', `agent/runs/${runId}/tool-calls`, { tool: 'createItems', arguments: { collection: 'changes', items } })).body.data);
    imported = { answers, seconds: (performance.now() - started) / 1_000 };
    await admin('GET', 'items/changes?limit=1', undefined, await at());
  }, 120_000);
  afterAll(async () => {
    stop.abort();
    await listening;
    await server.close();
  });

  it('[CONTENT-026] is imported by one agent run in batches within its budget', async () => {
    expect(rows.length).toBeGreaterThanOrEqual(10_000);
    expect(imported.answers.map(({ status, result }) => [status, result.created])).toEqual(inBatches(rows).map(({ length }) => ['executed', length]));
    const run = (await agent('GET', `agent/runs/${runId}`)).body.data;
    expect(run).toMatchObject({ status: 'running', budgetUsed: { toolCalls: imported.answers.length } });
    const log = await server.log();
    const created = log.filter(({ type }: Body) => type === 'ItemCreated').filter(({ data }: Body) => data.collection === 'changes');
    expect([created.length, new Set(created.map(({ metadata }: Body) => metadata.runId)), new Set(created.map(({ metadata }: Body) => metadata.actor.kind))]).toEqual([rows.length, new Set([runId]), new Set(['agent'])]);
    // The door decided each batch before any of its items was written.
    const types = log.filter(({ stream_id: stream, type }: Body) => stream === `run-${runId}` && /^ToolCall/.test(type as string)).map(({ type }: Body) => type as string);
    expect(types).toEqual(imported.answers.flatMap(() => ['ToolCallAuthorised', 'ToolCallSucceeded']));
    // Each item counts: what is left of the minute's budget is less than a batch.
    const more = { collection: 'changes', items: rows.slice(0, BATCH) };
    expect((await agent('POST', `agent/runs/${runId}/tool-calls`, { tool: 'createItems', arguments: more })).body.data).toMatchObject({ status: 'deferred', reason: 'write_budget_exceeded' });
    process.stdout.write(`catalogue: ${rows.length} rows in ${imported.answers.length} calls and ${imported.seconds.toFixed(1)} s, ${Math.round(rows.length / imported.seconds)} rows/s\n`);
  });

  it('refuses a batch as a whole when one item of it does not fit, and says which and why', async () => {
    const other = (await agent('POST', 'agent/goals', { title: 'Import more', agentName: 'importer' })).body.data.runId as string;
    const items = [...rows.slice(0, 2), { ...rows[2], before: 1.5, colour: 'red' }];
    const { data } = (await agent('POST', `agent/runs/${other}/tool-calls`, { tool: 'createItems', arguments: { collection: 'others', items } })).body;
    expect(data).toMatchObject({ status: 'failed' });
    expect(JSON.stringify(data)).toMatch(/items\/2\/colour.*items\/2\/before/);
    const { rows: counted } = await server.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM items WHERE collection = 'others'`);
    expect(counted[0]!.n).toBe(0);
  });

  it('[CONTENT-027] answers filtered lists over it with a p95 below 50 ms, right and in order', async () => {
    const areas = [...new Set(rows.map(({ area }) => area))];
    const queries: (() => Promise<Body>)[] = [];
    for (let n = 0; n < 20; n++) {
      const row = rows[(n * 7_919) % rows.length]!;
      const year = row.day.slice(0, 4);
      queries.push(
        () => filtered({ zone: row.zone }, { limit: 50 }),
        () => filtered({ area: areas[n % areas.length], forward: true }, { limit: 50, sort: '-updatedAt' }),
        () => filtered({ day: { gte: `${year}-03-01`, lt: `${year}-04-01` } }, { limit: 50, sort: 'id' }),
        () => filtered({ after: { gte: 540 }, before: { lt: 600 } }, { limit: 50 }),
        () => filtered({ zone: { contains: row.zone.slice(-5) }, forward: false }, { limit: 50 }),
      );
    }
    // Others may be using the machine as well: of three times that a list is asked for, the best one counts.
    const measured = async (): Promise<number> => {
      const times: number[] = [];
      for (const query of queries) {
        const asked: number[] = [];
        for (let time = 0; time < 3; time++) {
          const started = performance.now();
          await query();
          asked.push(performance.now() - started);
        }
        times.push(Math.min(...asked));
      }
      times.sort((a, b) => a - b);
      const quantile = (q: number) => times[Math.floor(q * times.length)]!;
      process.stdout.write(`catalogue: ${times.length} filtered lists over ${rows.length} rows, p50 ${quantile(0.5).toFixed(1)} ms, p95 ${quantile(0.95).toFixed(1)} ms\n`);
      return quantile(0.95);
    };
    const p95 = await measured();
    // A machine with more to do than it has processors for is as many times slower; one that has not is held to the word.
    const crowd = Math.max(1, loadavg()[0]! / availableParallelism());
    expect(p95 / crowd).toBeLessThan(50);

    const expectRows = async (filter: object, wanted: (row: ClockChange) => boolean) => {
      const found: Body[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = await filtered(filter, { sort: 'id', ...(cursor !== undefined && { cursor }) });
        found.push(...(page.data as Body[]));
        cursor = page.nextCursor as string | null;
      }
      expect(asSet(found.map(({ data }) => data as ClockChange))).toEqual(asSet(rows.filter(wanted)));
      const ids = found.map(({ id }) => id as string);
      expect(ids).toEqual(ids.toSorted());
      return found.length;
    };
    expect(await expectRows({ area: 'Australia' }, ({ area }) => area === 'Australia')).toBeGreaterThan(300);
    expect(await expectRows({ day: { gte: '1999-01-01', lt: '2000-01-01' }, forward: true }, ({ day, forward }) => forward && day.startsWith('1999'))).toBeGreaterThan(100);
    expect(await expectRows({ after: { in: [345, 765] } }, ({ after }) => [345, 765].includes(after))).toBeGreaterThan(0);
    expect(await expectRows({ zone: { contains: 'berlin' } }, ({ zone }) => zone === 'Europe/Berlin')).toBe(60);
  }, 60_000);

  it('[CONTENT-028] is exported as it was imported, and imported again from that', async () => {
    const exporting = async (path: string) => {
      const answer = await fetch(`${server.url}/api/v1/items/${path}`, { headers: { authorization: `Bearer ${admin.key}`, ...(await at()) } });
      return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
    };
    const answer = await exporting('changes/export');
    expect(answer).toMatchObject({ status: 200, type: 'application/x-ndjson; charset=utf-8' });
    const exported = documents(answer.text);
    expect(asSet(exported.map(({ data }) => data as ClockChange))).toEqual(asSet(rows));
    expect(exported.every((row) => JSON.stringify(Object.keys(row as object).toSorted()) === '["collection","createdAt","data","id","updatedAt","version"]')).toBe(true);
    const packed = await buffer(Readable.from([answer.text]).pipe(createGzip()));
    const copied = await post(packed, { 'content-encoding': 'gzip' });
    expect(copied).toMatchObject({ status: 201, body: { data: { collection: 'copies', created: rows.length } } });
    const again = await exporting('copies/export');
    expect(asSet(documents(again.text).map(({ data }) => data as ClockChange))).toEqual(asSet(rows));
    const some = documents((await exporting(`copies/export?filter=${encodeURIComponent('{"zone":"Europe/Paris"}')}`)).text);
    expect(asSet(some.map(({ data }) => data as ClockChange))).toEqual(asSet(rows.filter(({ zone }) => zone === 'Europe/Paris')));
    expect((await admin('GET', 'items/copies/export?filter=%7B%22colour%22%3A1%7D')).body).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' });
  });

  /** An import into `copies`, as the admin or with another key. */
  const post = async (body: Uint8Array | string, headers: Record<string, string> = {}, { key } = admin, collection = 'copies'): Promise<{ status: number; body: Body }> => {
    const answer = await fetch(`${server.url}/api/v1/items/${collection}/import`, { method: 'POST', headers: { authorization: `Bearer ${key}`, ...LINES, ...headers }, body });
    return { status: answer.status, body: await answer.json() };
  };
  const copies = async () => (await server.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM es_event WHERE type = 'ItemCreated' AND data::jsonb ->> 'collection' = 'copies'`)).rows[0]!.n;

  it('[SEC-017] refuses an archive that unpacks beyond the limit, however small it is, and writes nothing of it', async () => {
    const before = await copies();
    const line = `${JSON.stringify({ data: rows[0] })}\n`;
    // A gzip may have many members: 2 GiB out of 8 MiB, again and again.
    const member = gzipSync(Buffer.from(line.repeat(Math.ceil(8 * 1_048_576 / line.length))));
    const bomb = Buffer.concat(Array.from({ length: 256 }, () => member));
    expect(bomb.length).toBeLessThan(16 * 1_048_576);
    let peak = 0;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().arrayBuffers)), 5);
    const idle = process.memoryUsage().arrayBuffers;
    const refused = await post(bomb, { 'content-encoding': 'gzip' });
    clearInterval(watch);
    expect(refused).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE', facts: { limit: 67_108_864 } } });
    expect(peak - idle).toBeLessThan(512 * 1_048_576);
    // Nested twice it is just bytes that are no item.
    expect(await post(gzipSync(bomb), { 'content-encoding': 'gzip' })).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED' } });
    expect(await post(member.subarray(0, member.length / 2), { 'content-encoding': 'gzip' })).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED' } });
    expect(await copies()).toBe(before);
  });

  it('takes from people only what fits to the last line, and tells the line that does not', async () => {
    const before = await copies();
    const good = JSON.stringify({ data: rows[0] });
    const refusal = async (...sent: Parameters<typeof post>) => {
      const { status, body } = await post(...sent);
      return [status, body.code, (body.facts?.errors as Body[] | undefined)?.map(({ pointer }) => pointer as string)];
    };
    expect(await refusal(`${good}\n\n${JSON.stringify({ data: { ...rows[1], before: 'x' } })}\n`)).toEqual([422, 'VALIDATION_FAILED', ['/3/data/before']]);
    expect(await refusal(`${good}\n{"data":`)).toEqual([422, 'VALIDATION_FAILED', ['/2']]);
    expect(await refusal(`${good}\n{"item":{}}\n`)).toEqual([422, 'VALIDATION_FAILED', ['/2/data']]);
    expect(await refusal(`${good}\n{"data":{"zone":"a\\u0000b"}}\n`)).toEqual([422, 'VALIDATION_FAILED', ['/2/data/zone']]);
    expect(await refusal(`${good}\n{"data":{"zone":"${'x'.repeat(1_200_000)}"}}\n`)).toEqual([422, 'VALIDATION_FAILED', ['/2']]);
    expect(await refusal('\n\n')).toEqual([422, 'VALIDATION_FAILED', undefined]);
    expect(await refusal('not packed', { 'content-encoding': 'gzip' })).toEqual([422, 'VALIDATION_FAILED', ['']]);
    expect((await refusal(good, { 'content-encoding': 'br' })).slice(0, 2)).toEqual([415, 'VALIDATION_FAILED']);
    expect((await refusal(good, { 'content-type': 'application/json' })).slice(0, 2)).toEqual([415, 'VALIDATION_FAILED']);
    expect((await refusal(good, { 'idempotency-key': 'k' })).slice(0, 2)).toEqual([422, 'VALIDATION_FAILED']);
    expect((await refusal(good, {}, agent)).slice(0, 2)).toEqual([403, 'FORBIDDEN']);
    expect((await refusal(good, {}, admin, 'nowhere')).slice(0, 2)).toEqual([403, 'FORBIDDEN']);
    expect(await copies()).toBe(before);
    // Lines are for this route alone.
    expect((await admin('POST', 'items/copies', `${good}\n`, LINES)).status).toBe(415);
  });

  it('[PROJ-019] serves the items of all collections from one read model, with coalesced notifications for each collection', async () => {
    const { rows: held } = await server.pool.query<{ collection: string; n: number }>(`SELECT collection, count(*)::int AS n FROM items WHERE collection IN ('changes', 'copies') GROUP BY 1 ORDER BY 1`);
    expect(held).toEqual([{ collection: 'changes', n: rows.length }, { collection: 'copies', n: rows.length }]);
    // The first says where the items were, the others what came; the copies were told to nobody who watches the changes.
    const [hello, ...told] = refreshes;
    expect(hello).toMatchObject({ changes: 0, shown: 0 });
    expect(told.reduce((sum, { changes }) => sum + changes, 0)).toBe(rows.length);
    expect(told.length).toBeLessThanOrEqual(inBatches(rows).length);
    let due = 0;
    for (const { changes, shown } of told) expect(shown).toBeGreaterThanOrEqual((due += changes));
    expect(told.map(({ position }) => position)).toEqual(told.map(({ position }) => position).toSorted((a, b) => (a < b ? -1 : 1)));
    process.stdout.write(`catalogue: ${rows.length} changes were told in ${told.length} notifications\n`);
  });
});
