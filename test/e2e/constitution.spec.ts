import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import canonicalize from 'canonicalize';
import { testServer, type Answer, type Api, type Body, type TestServer } from './server';

const required = (id: string, field: string, more: object = {}) => ({ id, type: 'rule', rule: 'required', field, ...more });

describe('The constitution over HTTP', () => {
  let server: TestServer;
  let keeper: Api;
  let agent: Api;
  beforeAll(async () => {
    server = await testServer();
    keeper = await server.newKey({ name: 'Keeper', kind: 'human', capabilities: ['constitution:write'] });
    agent = await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:write', 'items:update'] });
  });
  afterAll(() => server.close());

  const draft = async (...evaluators: readonly object[]): Promise<Body> => (await keeper('POST', 'agent/constitution', { evaluators })).body.data;
  const activate = (id: string, as: Api = keeper): Promise<Answer> => as('POST', `agent/constitution/${id}/activate`);
  const statusOf = async (id: string): Promise<string> => (await keeper('GET', `agent/constitution/${id}`)).body.data.status;
  const open = async (): Promise<Body> => (await agent('POST', 'agent/goals', { title: 'Write', agentName: 'robot' })).body.data;

  it('[CONST-002] [CONST-003] keeps a draft under the hash of its evaluators', async () => {
    const evaluators = [required('title', 'title'), { id: 'voice', type: 'llm_judge', prompt: 'Is the tone friendly?', threshold: 0.8 }];
    const made = await keeper('POST', 'agent/constitution', { evaluators });
    expect(made.status).toBe(201);
    const hash = createHash('sha256').update(canonicalize(evaluators)!).digest('hex');
    expect(made.body.data).toMatchObject({ id: expect.stringMatching(/^con_[0-9a-f]{32}$/), status: 'draft', hash, evaluators });
    const again = await draft(...evaluators.map((each) => Object.fromEntries(Object.entries(each).toReversed())));
    expect([again.hash, again.id === made.body.data.id]).toEqual([hash, false]);
    expect((await keeper('GET', `agent/constitution/${made.body.data.id}`)).body.data).toEqual(made.body.data);
  });

  it('refuses evaluators that cannot be applied, and says where', async () => {
    const pointersOf = async (...evaluators: readonly object[]) => {
      const { status, body } = await keeper('POST', 'agent/constitution', { evaluators });
      return [status, ...body.facts.errors.map(({ pointer }: Body) => pointer)];
    };
    expect(await pointersOf({ ...required('a', 'b'), rule: 'regex', value: '(a)\\1' })).toEqual([422, '/evaluators/0/value']);
    expect(await pointersOf({ ...required('a', 'b'), rule: 'max_length', value: '60' })).toEqual([422, '/evaluators/0/value']);
    expect(await pointersOf(required('a', 'b'), required('a', 'c'))).toEqual([422, '/evaluators']);
  });

  it('[CONST-005] needs the capability or an admin for drafting, trying and activating', async () => {
    const { id } = await draft(required('title', 'title'));
    const reader = await server.newKey({ kind: 'human', capabilities: ['items:read', 'roles:write', 'settings:write'] });
    const writes = (as: Api) => Promise.all([
      as('POST', 'agent/constitution', { evaluators: [required('a', 'b')] }), as('POST', `agent/constitution/${id}/dry-run`), as('POST', `agent/constitution/${id}/activate`),
    ]);
    for (const as of [reader, agent]) expect((await writes(as)).map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([403, 'FORBIDDEN']));
    expect(await statusOf(id)).toBe('draft');
    expect((await writes(server.admin)).map(({ status }) => status)).toEqual([201, 200, 200]);
    expect((await writes(keeper)).slice(0, 2).map(({ status }) => status)).toEqual([201, 200]);
  });

  it('[CONST-006] tries a draft on the items of the site and changes none of them', async () => {
    const { id, hash } = await draft(
      required('title', 'title'), required('origin', 'no_such_field', { scope: { collection: 'products' } }),
      { id: 'tiny', type: 'rule', rule: 'max_length', field: 'title', value: 3, severity: 'warning' }, required('plans', 'anything', { scope: { artifactType: 'plan' } }),
    );
    const items = (await server.admin('GET', 'items/products?limit=200')).body.data as Body[];
    const log = await server.log();
    const tried = await keeper('POST', `agent/constitution/${id}/dry-run`, { limit: 200 });
    expect([tried.status, tried.body.data]).toMatchObject([200, {
      constitutionId: id, hash, collections: ['products'], examined: items.length, blocked: items.length, warned: 0,
      evaluators: [
        { evaluatorId: 'title', examined: items.length, failed: 0 }, { evaluatorId: 'origin', examined: items.length, failed: items.length },
        { evaluatorId: 'tiny', severity: 'warning', examined: items.length, failed: items.filter(({ data }) => [...data.title].length > 3).length }, { evaluatorId: 'plans', examined: 0, failed: 0 },
      ],
    }]);
    expect(items.length).toBeGreaterThan(0);
    expect(tried.body.data.findings[0]).toMatchObject({ collection: 'products', itemId: expect.stringMatching(/^item_/), severity: 'blocking', detail: 'no_such_field is missing or empty' });
    expect((await server.admin('GET', 'items/products?limit=200')).body.data).toEqual(items);
    const added = (await server.log()).slice(log.length);
    expect(added.map(({ type, stream_id }: Body) => [type, stream_id])).toEqual([['ConstitutionDryRun', `constitution-${id}`]]);
    expect((await keeper('GET', `agent/constitution/${id}`)).body.data).toMatchObject({ status: 'draft', lastDryRun: { examined: items.length, blocked: items.length } });
  });

  it('judges history twice, under what was in force then and under the draft, and records that it did', async () => {
    const from = String((await server.head()) + 1n);
    const lenient = await draft(required('title', 'title'));
    await activate(lenient.id);
    const made = async (title: string) => (await server.admin('POST', 'items/products', { data: { sku: 'B-1', title } })).body.data.id as string;
    const [short, long] = [await made('Tiny'), await made('Long enough')];
    await server.admin('PATCH', `items/products/${short}`, { data: { title: 'Also long enough' } });
    const to = String(await server.head());
    await made('Later');
    const strict = await draft(required('title', 'title'), { id: 'long', type: 'rule', rule: 'min_length', field: 'title', value: 8 });
    const tested = await keeper('POST', `agent/constitution/${strict.id}/backtest`, { from, to });
    expect([tested.status, tested.body.data]).toMatchObject([200, {
      constitutionId: strict.id, examined: 3, differing: 1,
      differences: [{ streamId: `item-${short}`, collection: 'products', before: { hash: lenient.hash, allowed: true, blocking: [] }, after: { hash: strict.hash, allowed: false, blocking: ['long'] } }],
    }]);
    const [last] = (await server.log()).slice(-1);
    expect(last).toMatchObject({ type: 'ConstitutionBacktested', stream_id: `constitution-${strict.id}`, data: { hash: strict.hash, from, to, examined: 3, differing: 1 } });
    expect(await statusOf(strict.id)).toBe('draft');
    expect((await server.admin('GET', `items/products/${long}`)).status).toBe(200);
    const everything = (await keeper('POST', `agent/constitution/${strict.id}/backtest`)).body.data;
    expect(everything.examined).toBeGreaterThan(3);
  });

  it('[CONST-016] says that it has no language model, instead of guessing', async () => {
    const { id } = await draft({ id: 'voice', type: 'llm_judge', prompt: 'Is the tone friendly?', threshold: 0.8 });
    const tried = await keeper('POST', `agent/constitution/${id}/dry-run`);
    expect([tried.status, tried.body.code, tried.body.facts]).toEqual([503, 'LLM_NOT_CONFIGURED', { evaluatorId: 'voice' }]);
  });

  it('[CONST-001] [CONST-007] [CONST-008] puts one version in force, archives the one before and records the difference', async () => {
    const first = await draft(required('title', 'title'), required('sku', 'sku'), required('text', 'text'));
    const second = await draft(required('title', 'title'), required('sku', 'code'), required('price', 'price'));
    expect((await activate(first.id)).body.data).toMatchObject({ constitutionId: first.id, status: 'active', hash: first.hash });
    const done = await activate(second.id);
    const change = { constitutionId: second.id, hash: second.hash, previousHash: first.hash, added: ['price'], removed: ['text'], changed: ['sku'] };
    expect([done.status, done.body.data]).toEqual([200, { ...change, status: 'active' }]);
    expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(['archived', 'active']);
    const [activated, archived] = (await server.log()).slice(-2);
    expect([activated, archived]).toMatchObject([
      { type: 'ConstitutionActivated', stream_id: 'governance-site_demo', data: change }, { type: 'ConstitutionArchived', stream_id: `constitution-${first.id}`, data: { hash: first.hash, replacedBy: second.id } },
    ]);
    expect(done.body.position).toBe(String(archived.position));
    const entries = await server.admin('GET', 'audit/events?type=ConstitutionActivated', undefined, { 'x-min-position': done.body.position as string });
    expect(entries.body.data[0]).toMatchObject({ type: 'ConstitutionActivated', data: change });
    expect((await activate(second.id)).body.data).toEqual(done.body.data);
    expect((await activate(first.id)).body).toMatchObject({ code: 'CONFLICT', facts: { status: 'archived' } });
  });

  it('[CONST-001] leaves exactly one active when many are activated at once', async () => {
    const drafts: Body[] = await Promise.all(Array.from({ length: 6 }, (_, n) => draft(required(`field-${n}`, 'title'))));
    const answers = await Promise.all(drafts.map(({ id }) => activate(id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const statuses = await Promise.all(drafts.map(({ id }) => statusOf(id)));
    expect(statuses.toSorted()).toEqual(['active', ...Array(5).fill('archived')]);
    const position = String(await server.head());
    const { data } = (await keeper('GET', 'agent/constitution?status=active', undefined, { 'x-min-position': position })).body;
    expect(data.map(({ id }: Body) => id)).toEqual([drafts[statuses.indexOf('active')]!.id]);
  });

  it('[CONST-004] lists the versions, newest first', async () => {
    const made = [await draft(required('one', 'a')), await draft(required('two', 'b'))];
    const position = String(await server.head());
    const page = (await keeper('GET', 'agent/constitution?limit=2', undefined, { 'x-min-position': position })).body;
    expect(page.data).toEqual(made.toReversed());
    const next = (await keeper('GET', `agent/constitution?limit=2&cursor=${page.nextCursor}`)).body;
    expect(next.data[0].id < made[0]!.id).toBe(true);
  });

  it('[CONST-017] [RUN-024] binds a run to the version in force at its start, whatever is activated later', async () => {
    const [before, after] = [await draft(required('old', 'title')), await draft(required('new', 'title'))] as [Body, Body];
    await activate(before.id);
    const { runId } = await open();
    await activate(after.id);
    const { runId: later } = await open();
    const viewOf = async (id: string): Promise<Body> => (await agent('GET', `agent/runs/${id}`)).body.data;
    expect((await viewOf(runId)).metrics).toMatchObject({ stopReason: null, constitutionHash: before.hash });
    expect((await viewOf(later)).metrics.constitutionHash).toBe(after.hash);
    await agent('POST', `agent/runs/${runId}/complete`);
    expect((await viewOf(runId)).metrics).toMatchObject({ stopReason: 'completed', constitutionHash: before.hash });
    const pinned = (await server.log()).filter(({ type, stream_id }: Body) => type === 'ConstitutionPinned' && stream_id === `run-${runId}`);
    expect(pinned.map(({ data }: Body) => data)).toEqual([{ constitutionId: before.id, hash: before.hash }]);
  });

  it('is unknown to other sites', async () => {
    const { id } = await draft(required('title', 'title'));
    const { adminKey } = (await server.admin('POST', 'sites', { name: 'Elsewhere' })).body.data;
    const other = server.as(adminKey as string);
    const answers = [await other('GET', `agent/constitution/${id}`), await other('POST', `agent/constitution/${id}/dry-run`), await activate(id, other), await other('GET', 'agent/constitution/con_none')];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([403, 'FORBIDDEN']));
    expect((await other('GET', 'agent/constitution')).body.data).toEqual([]);
    expect((await other('POST', 'agent/goals', { title: 'x', agentName: 'x' })).status).toBe(201);
  });
});
