import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testServer, type Api, type Body, type TestServer } from './server';

const EVERYTHING = ['artifacts:read', 'artifacts:write', 'artifacts:publish', 'schema:read', 'schema:create', 'schema:update', 'schema:delete', 'items:read', 'items:write', 'items:update', 'items:delete'];
const FIELDS = [{ name: 'label', type: 'text', required: true }, { name: 'width', type: 'integer' }];

/** Publishing a schema or seeds makes them, and a rollback takes them away again. */
describe('What artifacts do to a site', () => {
  let server: TestServer;
  let pat: Api;
  let nr = 0;
  beforeAll(async () => {
    server = await testServer();
    pat = await server.newKey({ name: 'Pat', kind: 'human', capabilities: [...EVERYTHING, 'approvals:decide'] });
  });
  afterAll(() => server.close());

  const fresh = () => `shelves${++nr}`;
  const act = (id: string, verb: string, body: object = {}, as: Api = pat) => as('POST', `agent/artifacts/${id}/${verb}`, body);
  const done = async (id: string, verb: string, body: object = {}, as: Api = pat): Promise<Body> => {
    const answer = await act(id, verb, body, as);
    expect([verb, answer.status, answer.body.detail]).toEqual([verb, 200, undefined]);
    return answer.body.data;
  };
  const agreed = async (id: string) => {
    await done(id, 'evaluate');
    const { approvalId } = await done(id, 'submit');
    expect((await server.admin('POST', `agent/approvals/${approvalId as string}/decide`, { decision: 'approved' })).status).toBe(200);
  };
  /** Drafted, checked and agreed to, so that it can be published. */
  const approved = async (type: string, content: object): Promise<string> => {
    const id = (await server.admin('POST', 'agent/artifacts', { type, title: 'Shelves', content })).body.data.id as string;
    await agreed(id);
    return id;
  };
  const diff = (name: string, more: object = {}) => approved('schema_diff', { collections: [{ name, fields: FIELDS, ...more }] });
  const seeds = (name: string, labels: readonly string[], collections: readonly object[] = []) =>
    approved('seed_data', { ...(collections.length > 0 && { collections }), items: labels.map((label) => ({ collection: name, data: { label } })) });
  const get = async (id: string): Promise<Body> => (await pat('GET', `agent/artifacts/${id}`)).body.data;
  const collection = async (name: string) => (await server.admin('GET', `collections/${name}`)).body.data as Body;
  const labels = async (name: string) =>
    ((await server.admin('GET', `items/${name}`, undefined, { 'x-min-position': String(await server.head()) })).body.data as Body[] | undefined)?.map(({ data }) => data.label as string).toSorted();
  const eventsOf = async (runId: string) => (await server.log()).filter(({ stream_id }: Body) => stream_id === `run-${runId}`);
  const until = async (what: () => Promise<boolean>) => {
    for (const end = Date.now() + 20_000; !(await what()) && Date.now() < end; ) await new Promise((resolve) => setTimeout(resolve, 100));
  };

  it('[ARTIFACT-021] a schema_diff changes the collections through the door', async () => {
    const name = fresh();
    const id = await diff(name, { description: 'Where goods lie' });
    const { application, status, history } = await done(id, 'publish');
    expect([status, application]).toEqual(['published', expect.objectContaining({ does: 'publish', status: 'done', steps: 2, done: 2 })]);
    expect(await collection(name)).toMatchObject({ description: 'Where goods lie', fields: FIELDS });
    const log = await eventsOf(application.runId as string);
    const calls = log.filter(({ type }: Body) => type.startsWith('ToolCall')).map(({ type, data }: Body) => [type, data.callId]);
    expect(calls).toEqual([1, 2].flatMap((step) => ['ToolCallParked', 'ToolCallAuthorised', 'ToolCallSucceeded'].map((type) => [type, `step-${step}`])));
    const all = await server.log();
    const at = (type: string, stream: string) => BigInt(all.find((event: Body) => event.type === type && event.stream_id.startsWith(stream)).position as string);
    expect(at('ToolCallAuthorised', `run-${application.runId as string}`)).toBeLessThan(at('CollectionCreated', `collection-site_demo.${name}`));
    expect(history).toEqual([expect.objectContaining({ what: 'published', version: 1, runId: application.runId })]);

    const more = await approved('schema_diff', {
      collections: [{ name, fields: [{ ...FIELDS[0], constraints: { maxLength: 20 } }, FIELDS[1], { name: 'depth', type: 'number' }] }],
    });
    expect((await done(more, 'publish')).application.steps).toBe(2);
    expect((await collection(name)).fields).toEqual([{ ...FIELDS[0], constraints: { maxLength: 20 } }, { ...FIELDS[1] }, { name: 'depth', type: 'number' }].map((field) => expect.objectContaining(field)));
    expect((await done(more, 'rollback')).application).toMatchObject({ does: 'rollback', status: 'done', steps: 2, kept: [] });
    expect((await collection(name)).fields).toEqual(FIELDS.map((field) => expect.objectContaining(field)));
    expect((await collection(name)).fields[0].constraints ?? {}).toEqual({});
  });

  it('[ARTIFACT-022] seed_data creates its items through the door, each of them once', async () => {
    const name = fresh();
    await done(await diff(name), 'publish');
    const id = await seeds(name, ['a', 'b', 'b']);
    const answers = await Promise.all([1, 2, 3].map(() => act(id, 'publish')));
    expect(answers.map(({ status, body }) => [status, body.data?.status])).toEqual(Array(3).fill([200, 'published']));
    expect(await labels(name)).toEqual(['a', 'b', 'b']);
    const { runId } = answers[0]!.body.data.application;
    const types = (await eventsOf(runId as string)).map(({ type }: Body) => type as string);
    expect([types.filter((type: string) => type === 'ToolCallAuthorised').length, types.at(-1)]).toEqual([3, 'RunSucceeded']);
    const [first] = (await server.admin('GET', `items/${name}`)).body.data as Body[];
    expect((await server.admin('GET', `items/${name}/${first.id as string}?provenance=true`)).body.data.provenance.createdByRunId).toBe(runId);
    const before = await server.head();
    await done(id, 'publish');
    expect(await server.head()).toBe(before);
  });

  it('another version makes what is new, and going back leaves what the version before had made', async () => {
    const name = fresh();
    await done(await diff(name), 'publish');
    const id = await seeds(name, ['a', 'b']);
    await done(id, 'publish');
    await done(id, 'revise', { content: { items: ['a', 'b', 'c'].map((label) => ({ collection: name, data: { label } })) } });
    await agreed(id);
    expect((await done(id, 'publish')).application.steps).toBe(1);
    expect(await labels(name)).toEqual(['a', 'b', 'c']);
    expect(await done(id, 'rollback')).toMatchObject({ publishedVersion: 1, status: 'rolled_back' });
    expect(await labels(name)).toEqual(['a', 'b']);
    expect(await done(id, 'rollback')).toMatchObject({ publishedVersion: null });
    expect(await labels(name)).toEqual([]);
    expect((await get(id)).history.map(({ what, version }: Body) => [what, version])).toEqual([['published', 1], ['published', 2], ['rolled_back', 2], ['rolled_back', 1]]);
  });

  it('[ARTIFACT-008] a rollback restores the version before and undoes what publishing did, except what people have made of it', async () => {
    const name = fresh();
    const id = await seeds(name, ['a', 'b', 'c'], [{ name, fields: FIELDS }]);
    const { application: { runId } } = await done(id, 'publish');
    const items = (await server.admin('GET', `items/${name}`, undefined, { 'x-min-position': String(await server.head()) })).body.data as Body[];
    const idOf = (label: string) => items.find(({ data }) => data.label === label).id as string;
    await server.admin('PATCH', `items/${name}/${idOf('b')}`, { data: { width: 7 } });
    await server.admin('DELETE', `items/${name}/${idOf('c')}`);
    const back = await done(id, 'rollback', { reason: 'A drill' });
    expect(back).toMatchObject({ status: 'rolled_back', publishedVersion: null, published: null });
    const kept = [{ what: `item ${name}/${idOf('b')}`, reason: 'It was changed since' }, { what: `collection ${name}`, reason: 'It holds 1 item(s) that stay' }];
    expect([back.application.kept, back.history.at(-1)]).toEqual([kept, expect.objectContaining({ what: 'rolled_back', reason: 'A drill', kept })]);
    expect(await labels(name)).toEqual(['b']);
    expect((await eventsOf(back.application.runId as string)).filter(({ type }: Body) => type === 'ToolCallAuthorised').map(({ data }: Body) => data.arguments)).toEqual([expect.objectContaining({ id: idOf('a') })]);
    expect(back.application.runId).not.toBe(runId);

    const gone = fresh();
    const other = await seeds(gone, ['x'], [{ name: gone, fields: FIELDS }]);
    await done(other, 'publish');
    expect((await done(other, 'rollback')).application.kept).toEqual([]);
    expect((await server.admin('GET', `collections/${gone}`)).status).toBe(410);
  });

  it('the decision of the door counts: what the publisher may not do is not done, and publishing again goes on', async () => {
    const name = fresh();
    const half = await server.newKey({ name: 'Half', kind: 'human', capabilities: [...EVERYTHING.filter((capability) => capability !== 'items:write'), 'approvals:decide'] });
    const id = await seeds(name, ['a'], [{ name, fields: FIELDS }]);
    const refused = await act(id, 'publish', {}, half);
    expect([refused.status, refused.body.code, refused.body.facts]).toEqual([409, 'CONFLICT', expect.objectContaining({ done: 1, steps: 2, reason: expect.stringContaining('capability_missing') })]);
    expect(await get(id)).toMatchObject({ status: 'approved', publishedVersion: null, application: { status: 'failed', done: 1 } });
    expect((await done(id, 'publish')).application).toMatchObject({ steps: 1, done: 1, status: 'done' });
    expect(await labels(name)).toEqual(['a']);
    expect((await done(id, 'rollback')).application).toMatchObject({ steps: 2, kept: [] });
    expect((await server.admin('GET', `collections/${name}`)).status).toBe(410);
  });

  it('what was begun and did not go through can be taken back', async () => {
    const name = fresh();
    const id = await approved('seed_data', { collections: [{ name, fields: FIELDS }], items: [{ collection: name, data: { label: 'a' } }, { collection: name, data: { label: 'b', width: 'wide' } }] });
    expect((await act(id, 'publish')).body.facts).toMatchObject({ done: 2, reason: expect.stringContaining('VALIDATION_FAILED') });
    expect(await done(id, 'rollback')).toMatchObject({ status: 'rolled_back', publishedVersion: null, application: { steps: 2, kept: [] } });
    expect((await server.admin('GET', `collections/${name}`)).status).toBe(410);
  });

  it('waits for whoever has to decide, and is public by itself when that is done', async () => {
    const name = fresh();
    const plain = await server.newKey({ name: 'Plain', kind: 'human', capabilities: EVERYTHING });
    const id = await diff(name);
    const { status, application } = await done(id, 'publish', {}, plain);
    expect([status, application]).toEqual(['approved', expect.objectContaining({ status: 'waiting', done: 0, approvalId: expect.stringMatching(/^appr_/) })]);
    expect((await done(id, 'publish', {}, plain)).application).toEqual(application);
    expect((await act(id, 'revise', { content: { collections: [] } })).status).toBe(409);
    expect((await server.admin('GET', `collections/${name}`)).status).toBe(403);
    await server.admin('POST', `agent/approvals/${application.approvalId as string}/decide`, { decision: 'approved' });
    await until(async () => (await get(id)).status === 'published');
    expect(await get(id)).toMatchObject({ status: 'published', application: { status: 'done', runId: application.runId } });
    expect((await collection(name)).fields).toHaveLength(2);

    const other = await diff(fresh());
    const waiting = (await done(other, 'publish', {}, plain)).application as Body;
    await server.admin('POST', `agent/approvals/${waiting.approvalId as string}/decide`, { decision: 'rejected', reason: 'Not now' });
    await until(async () => (await get(other)).application.status === 'failed');
    expect(await get(other)).toMatchObject({ status: 'approved', application: { status: 'failed', reason: expect.stringContaining('denied') } });
  });

  it('refuses content that it cannot carry out before it does anything', async () => {
    const name = fresh();
    await done(await diff(name), 'publish');
    const wrong: readonly (readonly [string, object, number])[] = [
      ['schema_diff', { collections: [{ name, fields: [{ name: 'label', type: 'number' }] }] }, 409],
      ['schema_diff', { collections: [{ name: 'Bad Name', fields: FIELDS }] }, 422],
      ['schema_diff', { collections: [{ name: fresh(), fields: FIELDS }], removeCollections: [name] }, 422],
      ['seed_data', { items: [{ collection: 'nowhere', data: {} }] }, 422],
    ];
    for (const [type, content, status] of wrong) {
      const id = await approved(type, content);
      const before = await server.head();
      expect([content, (await act(id, 'publish')).status]).toEqual([content, status]);
      expect([await server.head(), (await get(id)).status]).toEqual([before, 'approved']);
    }
  });
});
