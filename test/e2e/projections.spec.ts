import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projections } from '../../apps/gateway/src/composition';
import { eventually } from './eventually';
import { testServer, type Answer, type Body, type TestServer } from './server';
import { rowsWithoutSite, tablesOf } from './tables';

/** Every list that a read model answers. */
const LISTS = ['agent/goals', 'agent/runs', 'agent/approvals', 'api-keys', 'collections', 'items/products', 'items/products/:id/revisions', 'audit/events'];
/** Holds a row only while a handler runs. */
const EMPTY_AT_REST = 'calls_in_flight';
const NAMES = projections.map(({ name }) => name).toSorted();

describe('The read models of a working server', () => {
  let server: TestServer;
  let itemId: string;

  beforeAll(async () => {
    server = await testServer();
    itemId = (await write()).body.data.id as string;
  });
  afterAll(() => server.close());

  const write = () => server.admin('POST', 'items/products', { data: { sku: 'R', title: 'Read me' } });
  const order = (name: string, what: string, body: unknown = {}) => server.admin('POST', `ops/projections/${name}/${what}`, body);
  const statuses = async () => (await server.admin('GET', 'ops/projections')).body.data as Body[];
  const statusOf = async (name: string) => (await statuses()).find((status) => status.name === name);
  const settled = () => eventually(statuses, (all) => all.every(({ lagEvents, state }) => lagEvents === '0' && state === 'live'));
  const timed = async (ask: () => Promise<Answer>) => {
    const started = performance.now();
    const { status, headers, body } = await ask();
    return { status, body, retryAfter: headers.get('retry-after'), ms: performance.now() - started };
  };

  it('[PROJ-016] answers a read with a position only when its read model is there', async () => {
    await settled();
    for (const name of NAMES) expect((await order(name, 'pause')).status).toBe(200);
    const { position } = (await write()).body;
    // Held back: the list waits, in the query and in the header alike, and answers as soon as the read model goes on.
    const waiting = LISTS.map((list) => list.replace(':id', itemId)).flatMap((list) => [
      { list, answer: timed(() => server.admin('GET', `${list}?minPosition=${position}`)) }, { list, answer: timed(() => server.admin('GET', list, undefined, { 'x-min-position': position as string })) },
    ]);
    const early = await Promise.race([...waiting.map(({ answer }) => answer), statuses().then(() => 'nobody')]);
    expect(early).toBe('nobody');
    for (const name of NAMES) expect((await order(name, 'resume')).status).toBe(200);
    for (const { list, answer } of waiting) {
      const { status, body } = await answer;
      expect([list, status, BigInt(body.position as string) >= BigInt(position as string)]).toEqual([list, 200, true]);
    }
  });

  it('[PROJ-016] [RISK-006] waits at most 5 s, then says how far the read model is and when to ask again', async () => {
    await settled();
    const beyond = String((await server.head()) + 1_000n);
    const lists = LISTS.map((list) => list.replace(':id', itemId));
    const answers = await Promise.all(lists.map(async (list) => ({ list, ...(await timed(() => server.admin('GET', `${list}?minPosition=${beyond}`))) })));
    for (const { list, status, body, retryAfter, ms } of answers) {
      expect([list, status, body.code, retryAfter, body.facts]).toEqual([list, 503, 'UNAVAILABLE', '1', { position: String(await server.head()) }]);
      expect([list, ms > 4_900, ms < 7_500]).toEqual([list, true, true]);
    }
  });

  it('[PROJ-017] shows position, lag and state of each', async () => {
    const all = await settled();
    expect(all.map(({ name }) => name).toSorted()).toEqual(NAMES);
    for (const one of all) {
      expect(one).toEqual({
        name: expect.any(String), version: expect.any(Number), generation: expect.any(Number), state: 'live', position: String(await server.head()), lagEvents: '0', lagMs: 0,
        progress: null, error: null,
      });
    }
    await order('items', 'pause');
    const before = await statusOf('items');
    await write();
    await write();
    expect(await statusOf('items')).toMatchObject({ state: 'paused', position: before.position, lagEvents: '2', lagMs: expect.any(Number) });
    expect((await eventually(() => statusOf('goals'), ({ lagEvents }) => lagEvents === '0')).state).toBe('live');
    await order('items', 'resume');
  });

  it('[PROJ-018] rebuilds, pauses and resumes the named one and no other', async () => {
    const before = await settled();
    const paused = await order('items', 'pause');
    expect([paused.status, paused.body.data]).toEqual([200, { name: 'items', order: 'pause' }]);
    expect((await statuses()).filter(({ state }) => state !== 'live').map(({ name, state }) => [name, state])).toEqual([['items', 'paused']]);
    expect((await order('items', 'resume')).body.data).toEqual({ name: 'items', order: 'resume' });
    expect((await settled()).map(({ generation }) => generation)).toEqual(before.map(({ generation }) => generation));

    const rebuilt = await order('items', 'rebuild');
    expect([rebuilt.status, rebuilt.body.data]).toEqual([202, { name: 'items', order: 'rebuild' }]);
    const next = await eventually(statuses, (all) => all.every(({ name, generation, state }) => state === 'live' && generation === before.find((one) => one.name === name).generation + (name === 'items' ? 1 : 0)));
    expect(next.map(({ name, generation }) => [name, generation])).toEqual(before.map(({ name, generation }) => [name, generation + (name === 'items' ? 1 : 0)]));
    expect((await server.admin('GET', `items/products?minPosition=${await server.head()}`)).body.data.map(({ id }: Body) => id)).toContain(itemId);
  });

  it('answers the other orders: verify, rollback, cancel, skip', async () => {
    await settled();
    const verified = await order('items', 'verify');
    expect([verified.status, verified.body.data]).toEqual([200, { name: 'items', ok: true, position: expect.any(String), rows: expect.any(Number), differences: [] }]);
    await server.pool.query(`UPDATE items SET updated_at = 'never' WHERE id = $1`, [itemId]);
    expect((await order('items', 'verify')).body.data).toMatchObject({ ok: false, differences: [{ id: itemId, kind: 'different' }] });

    const { generation } = await statusOf('items');
    expect((await order('items', 'rollback')).body.data).toEqual({ name: 'items', order: 'rollback' });
    expect((await eventually(() => statusOf('items'), (status) => status.state === 'live')).generation).toBe(generation - 1);
    expect((await settled()).length).toBe(NAMES.length);

    expect(refusalOf(await order('items', 'cancel'))).toEqual([409, 'CONFLICT']);
    await order('items', 'pause');
    await order('items', 'rebuild');
    expect((await order('items', 'cancel')).body.data).toEqual({ name: 'items', order: 'cancel' });
    await order('items', 'resume');
    await settled();

    expect(refusalOf(await order('items', 'skip', { position: '7', reason: 'Not stopped there' }))).toEqual([409, 'CONFLICT']);
    expect(refusalOf(await order('items', 'skip', { position: '7', reason: '  ' }))).toEqual([422, 'VALIDATION_FAILED']);
    await server.pool.query(`UPDATE es_projection SET state = 'stopped', error = 'as if poisoned', error_position = 1 WHERE name = 'items' AND role = 'serving'`);
    expect(await statusOf('items')).toMatchObject({ state: 'stopped', error: { position: '1', message: 'as if poisoned' } });
    expect((await order('items', 'skip', { position: '1', reason: 'Known and harmless' })).body.data).toEqual({ name: 'items', order: 'skip' });
    expect((await server.pool.query('SELECT position::text, reason FROM es_projection_skip')).rows).toEqual([{ position: '1', reason: 'Known and harmless' }]);
    expect((await settled()).length).toBe(NAMES.length);
  });

  it('takes no order for what does not exist, in the wrong state, or from somebody without the right', async () => {
    for (const what of ['rebuild', 'pause', 'resume', 'cancel', 'rollback', 'verify']) expect(refusalOf(await order('nothing', what))).toEqual([404, 'NOT_FOUND']);
    expect(refusalOf(await order('items', 'resume'))).toEqual([409, 'CONFLICT']);
    const reader = await server.newKey({ kind: 'service', capabilities: ['ops:read'] });
    expect((await reader('GET', 'ops/projections')).status).toBe(200);
    expect(refusalOf(await reader('POST', 'ops/projections/items/pause', {}))).toEqual([403, 'FORBIDDEN']);
    expect(refusalOf(await (await server.newKey({ capabilities: [] }))('GET', 'ops/projections'))).toEqual([403, 'FORBIDDEN']);
  });

  it('[SEC-003] holds a site with every event and every row', async () => {
    const { runId } = (await server.admin('POST', 'agent/goals', { title: 'x', agentName: 'a' })).body.data;
    await server.admin('POST', `agent/runs/${runId as string}/tool-calls`, { tool: 'deleteItem', arguments: { collection: 'products', id: itemId } });
    // An address that is refused at once: the attempt to tell is a row, too.
    await server.admin('PUT', 'notifications/channels', { channels: [{ name: 'ops', type: 'webhook', url: 'http://127.0.0.1:9', kinds: ['incident'] }] });
    await server.admin('POST', 'agent/incidents', { source: 'human_report', severity: 'high', detail: 'x' });
    await server.admin('PUT', 'settings', { deployments: { targets: [{ name: 'nowhere', url: 'http://127.0.0.1:9' }] } });
    await server.admin('POST', 'deployments', { target: 'nowhere' });
    await server.admin('POST', 'cdc/subscriptions', { name: 'Index', target: { type: 'webhook', url: 'https://index.invalid' }, types: ['SiteCreated'] });
    await server.admin('POST', 'agent/memory', { content: 'x' });
    const file = (await server.admin('POST', 'desk/files', { name: 'A.md', type: 'markdown', content: 'x' })).body.data;
    const writing = (await server.admin('POST', 'agent/goals', { title: 'Write', agentName: 'a' })).body.data;
    const overwrite = (await server.admin('POST', `agent/runs/${writing.runId as string}/tool-calls`, { tool: 'desk_update_markdown', arguments: { fileId: file.id, content: 'y' } })).body.data;
    await server.admin('POST', `agent/approvals/${overwrite.approvalId as string}/decide`, { decision: 'approved' });
    await server.admin('POST', 'users', { email: 'x@example.com', name: 'X' });
    await eventually(async () => (await server.pool.query('SELECT 1 FROM es_event WHERE type = \'NotificationFailed\'')).rowCount, (count) => count === 1);
    await server.admin('PUT', 'settings', { promotion: { streak: 1, decided: 1, rate: 0 } });
    const task = { skillName: 'createItem', arguments: { collection: 'products', data: { sku: 'P', title: 'P' } } };
    const earned = (await server.admin('POST', 'agent/goals', { title: 'Earn', agentName: 'a', agentRole: 'Writer', approvalPolicy: 'before_execute', task })).body.data;
    await server.admin('POST', `agent/approvals/${earned.result.approvalId as string}/decide`, { decision: 'approved' });
    await server.admin('POST', 'agent/autonomy/promotions/check');
    await server.admin('POST', 'agent/constitution', { evaluators: [{ id: 'title', type: 'rule', rule: 'required', field: 'title' }] });
    await server.admin('POST', 'agent/artifacts', { type: 'report', title: 'Stock', content: { summary: 'Enough' } });
    await server.admin('POST', 'agent/flows', { name: 'Upkeep', trigger: { on: 'event', types: ['SiteCreated'] }, operations: [{ do: 'trust-promote-check' }], capabilities: [] });
    await server.admin('PUT', 'settings', { contentOs: { vetoWindow: true, reconciler: true } });
    const intent = { name: 'Long titles', collection: 'products', rules: [{ type: 'field_constraint', field: 'title', minLength: 500 }], schedule: '0 3 1 1 *' };
    const { id: intentId } = (await server.admin('POST', 'agent/intents', intent)).body.data;
    expect((await server.admin('POST', `agent/intents/${intentId as string}/scan`)).status).toBe(200);
    const staging = (await server.admin('POST', 'agent/goals', { title: 'Later', agentName: 'a', approvalPolicy: 'before_commit' })).body.data;
    await server.admin('POST', `agent/runs/${staging.runId as string}/tool-calls`, { tool: 'updateItem', arguments: { collection: 'products', id: itemId, data: { title: 'Later' } } });
    await settled();
    const readModels = (await tablesOf(server.pool)).filter((table) => NAMES.some((name) => table === name || table.startsWith(`${name}__g`)));
    expect(readModels).toEqual(expect.arrayContaining(NAMES));
    for (const table of ['es_event', ...readModels]) {
      const { rows, without, nullable } = await rowsWithoutSite(server.pool, table);
      expect([table, without, nullable]).toEqual([table, 0, false]);
      if ((NAMES.includes(table) && table !== EMPTY_AT_REST) || table === 'es_event') expect([table, rows > 0]).toEqual([table, true]);
    }
  });
});

const refusalOf = ({ status, body }: Answer) => [status, body.code];
