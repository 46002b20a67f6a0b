import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Executor, newId, PostgresEventStore, States } from '@app/event-store';
import { memory, type MemoryEvent } from '@app/memory/contract';
import { MasterKey, Vault } from '@app/vault';
import { catalogue } from '../../apps/gateway/src/composition';
import { eventually } from './eventually';
import { testServer, type Api, type Body, type TestServer } from './server';
import { tablesHolding } from './tables';

const MASTER = 'ef'.repeat(32);
const SECRET = 'sk-proj-Zk3uQ8vB1xY7mN5pL2rT9wS4aD6fG0hJ';

describe('Memory', () => {
  let server: TestServer;
  let admin: Api;

  beforeAll(async () => {
    server = await testServer({ HARNESS_MASTER_KEY: MASTER });
    ({ admin } = server);
  });
  afterAll(() => server.close());

  const store = async (body: Record<string, unknown>, by = admin): Promise<Body> => {
    const answer = await by('POST', 'agent/memory', body);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body.data as Body;
  };
  const now = async (path: string, by = admin) => by('GET', `agent/memory${path}${path.includes('?') ? '&' : '?'}minPosition=${await server.head()}`);
  const contents = async (path: string, by = admin): Promise<string[]> => {
    const answer = await now(path, by);
    if (answer.status !== 200) throw new Error(answer.text);
    return (answer.body.data as Body[]).map(({ content }) => content as string);
  };
  const robot = (more: Record<string, unknown> = {}) => server.newKey({ name: 'robot', capabilities: ['memory:read', 'memory:write'], ...more });
  const runOf = async (agent: Api, more: Record<string, unknown> = {}): Promise<{ goalId: string; runId: string }> => (await agent('POST', 'agent/goals', { title: 'Tidy', agentName: 'robot', ...more })).body.data;

  it('[MEMORY-001] [MEMORY-002] is listed, created, redacted and forgotten, each with scope, content, provenance, confidence, expiry, tags and perhaps an embedding', async () => {
    const { goalId } = await runOf(admin);
    const whole = await store({
      content: 'Ada likes green teapots', scope: { role: 'Writer', goalId, userId: 'key_ada' }, confidence: 0.8, expiresAt: '2099-01-01T02:00:00+02:00', tags: ['taste'], sources: ['a talk'], embedding: [0.1, 0.9],
    });
    expect(whole).toMatchObject({
      content: 'Ada likes green teapots', scope: { role: 'Writer', goalId, userId: 'key_ada' }, confidence: 0.8, expiresAt: '2099-01-01T00:00:00.000Z', tags: ['taste'], sources: ['a talk'],
      hasEmbedding: true, provenance: { by: { kind: 'human' }, runId: null, goalId: null }, redactions: 0,
    });
    expect(whole.id).toMatch(/^mem_[0-9a-f]{32}$/);
    const asked = `?role=Writer&goalId=${goalId}&userId=key_ada`;
    expect((await now(asked)).body.data).toContainEqual(whole);
    expect((await now(`/search${asked}&embedding=0.1,0.9`)).body.data[0]).toMatchObject({ id: whole.id, similarity: expect.closeTo(1) });
    const plain = await store({ content: 'Shelves are dusted on Mondays' });
    expect(plain).toMatchObject({ scope: { role: null, goalId: null, userId: null }, confidence: 0.5, expiresAt: null, tags: [], hasEmbedding: false });
    const redacted = await admin('POST', `agent/memory/${whole.id as string}/redact`, { texts: ['ada'] });
    expect([redacted.status, redacted.body.data]).toMatchObject([200, { content: '[redacted] likes green teapots', redactions: 1, hasEmbedding: false }]);
    expect((await admin('DELETE', `agent/memory/${plain.id as string}`)).body.data).toEqual({ id: plain.id, forgotten: true });
    expect(await contents('')).not.toContain('Shelves are dusted on Mondays');
    for (const bad of [{ content: '' }, { content: 'x', confidence: 1.1 }, { content: 'x', expiresAt: '2001-01-01T00:00:00Z' }, { content: 'x', embedding: [] }, { content: 'x'.repeat(8_001) }]) {
      expect((await admin('POST', 'agent/memory', bad)).status).toBe(422);
    }
    expect((await admin('POST', `agent/memory/${whole.id as string}/redact`, {})).status).toBe(422);
    expect((await admin('POST', `agent/memory/${whole.id as string}/redact`, { texts: ['never said'] })).status).toBe(422);
  });

  it('[MEMORY-003] names in its provenance the run it was written in, and is written there by nobody else', async () => {
    const [one, other] = [await robot(), await robot()];
    const { goalId, runId } = await runOf(one);
    const written = await store({ content: 'The printer jams', runId, scope: { goalId } }, one);
    expect(written.provenance).toMatchObject({ by: { kind: 'agent', id: one.id }, runId, goalId, agentName: 'robot' });
    const { metadata, data } = ((await server.log()) as Body[]).find(({ stream_id: id }) => id === `memory-${written.id as string}`);
    expect([metadata.runId, data.provenance.runId]).toEqual([runId, runId]);
    expect((await other('POST', 'agent/memory', { content: 'I was there', runId })).status).toBe(403);
    await one('POST', `agent/runs/${runId}/complete`, {});
    expect((await one('POST', 'agent/memory', { content: 'Too late', runId })).body.code).toBe('RUN_TERMINAL');
  });

  it('[MEMORY-008] is found by those it is for and by nobody of another site, goal, role or user', async () => {
    const [one, other] = [await robot({ agentRole: 'Gardener' }), await robot()];
    const [mine, theirs] = [await runOf(one, { agentRole: 'Gardener' }), await runOf(other)];
    await store({ content: 'weeds for all' });
    await store({ content: 'weeds of my goal', runId: mine.runId, scope: { goalId: mine.goalId } }, one);
    await store({ content: 'weeds of gardeners', scope: { role: 'Gardener' } }, one);
    await store({ content: 'weeds of mine', scope: { userId: one.id } }, one);
    const search = async (by: Api, more = '') => (await contents(`/search?q=weeds${more}`, by)).toSorted();
    expect(await search(one, `&runId=${mine.runId}`)).toEqual(['weeds for all', 'weeds of gardeners', 'weeds of mine', 'weeds of my goal']);
    expect(await search(one)).toEqual(['weeds for all', 'weeds of gardeners', 'weeds of mine']);
    expect(await search(other, `&runId=${theirs.runId}`)).toEqual(['weeds for all']);
    expect((await contents('', other)).filter((content) => content.startsWith('weeds'))).toEqual(['weeds for all']);
    for (const claimed of [`runId=${mine.runId}`, `goalId=${mine.goalId}`, 'role=Gardener', `userId=${one.id}`]) expect((await now(`/search?q=weeds&${claimed}`, other)).status).toBe(403);
    for (const scope of [{ goalId: theirs.goalId }, { role: 'Gardener' }, { userId: one.id }]) expect((await other('POST', 'agent/memory', { content: 'a lie', scope })).status).toBe(403);
    const { adminKey } = (await admin('POST', 'sites', { name: 'Elsewhere' })).body.data;
    const elsewhere = server.as(adminKey as string);
    expect(await contents('/search?q=weeds', elsewhere)).toEqual([]);
    expect((await now(`/search?q=weeds&goalId=${mine.goalId}`, elsewhere)).status).toBe(403);
  });

  it('[MEMORY-006] [MEMORY-007] is not found once it has expired, and ranked by similarity, confidence and recency', async () => {
    const soon = new Date(Date.now() + 1_500).toISOString();
    await store({ content: 'quince jam recipe', expiresAt: soon });
    await store({ content: 'quince jam', confidence: 0.4 });
    await store({ content: 'quince jam of all', confidence: 0.9 });
    await store({ content: 'plum jam', confidence: 0.9 });
    const found = (await now('/search?q=quince jam&limit=4')).body.data as Body[];
    expect(found.map(({ content }) => content as string)).toEqual(['quince jam of all', 'quince jam recipe', 'plum jam', 'quince jam'].toSorted((a, b) => scoreIn(found, b) - scoreIn(found, a)));
    for (const { similarity, confidence, recency, score } of found) expect(score).toBeCloseTo(similarity * confidence * recency, 12);
    await eventually(() => contents('/search?q=quince jam'), (left) => !left.includes('quince jam recipe'));
    expect(Date.now()).toBeGreaterThanOrEqual(new Date(soon).getTime());
    expect(await contents('')).not.toContain('quince jam recipe');
  });

  it('[MEMORY-004] is stored without the secrets in it', async () => {
    const secretly = await store({ content: `The key is ${SECRET}`, tags: [SECRET], sources: [`Bearer ${SECRET}`] });
    expect(JSON.stringify(secretly)).not.toContain(SECRET);
    const vault = new Vault(server.pool, MasterKey.of(MASTER)!);
    const { data } = ((await server.log()) as Body[]).find(({ stream_id: id }) => id === `memory-${secretly.id as string}`);
    const opened = await vault.open(`mem:${secretly.id as string}/1/`, data.sealed as string);
    expect(opened).toMatchObject({ ok: true, value: { content: expect.stringContaining('The key is ') } });
    expect(JSON.stringify(opened)).not.toContain(SECRET);
  });

  it('[MEMORY-005] is masked again on its way out, should it have been stored with a secret', async () => {
    const vault = new Vault(server.pool, MasterKey.of(MASTER)!);
    const eventStore = await new PostgresEventStore({ connection: { connectionString: server.databaseUrl }, catalogue }).start();
    try {
      const memoryId = newId('mem');
      const sealed = await vault.seal(`mem:${memoryId}/1/`, 'site_demo', { content: `Of old: ${SECRET}`, tags: [], sources: [], embedding: null });
      const event: MemoryEvent = {
        type: 'MemoryStored',
        data: {
          memoryId, siteId: 'site_demo', scope: { role: null, goalId: null, userId: null }, sealed, confidence: 1, expiresAt: null, at: new Date().toISOString(),
          provenance: { by: { kind: 'human', id: 'key_old' }, runId: null, goalId: null, agentName: null, agentRole: null },
        },
      };
      await new Executor(eventStore, new States(eventStore)).execute(
        { memory: { aggregate: memory, id: memoryId } },
        { actor: { kind: 'human', id: 'key_old' }, siteId: 'site_demo', now: new Date(), correlationId: 'c', commandId: 'old' }, () => ({ ok: true, events: { memory: [event] } }),
      );
      const answer = await now('/search?q=of old');
      expect(answer.body.data.map(({ content }: Body) => content as string)).toContainEqual(expect.stringMatching(/^Of old: /));
      expect(answer.text).not.toContain(SECRET);
    } finally {
      await eventStore.close();
    }
  });

  it('[MEMORY-009] forgotten, has no key, and its text is returned by no route', async () => {
    const TEXT = 'the gate code of the orchard';
    const key = { 'idempotency-key': 'once' };
    const first = await admin('POST', 'agent/memory', { content: TEXT, tags: ['orchard gate tag'] }, key);
    const { id } = first.body.data as { id: string };
    const later = await admin('POST', `agent/memory/${id}/redact`, { texts: ['code'] }, { 'idempotency-key': 'twice' });
    expect(later.body.data.content).toBe('the gate [redacted] of the orchard');
    const keys = async () => (await server.pool.query('SELECT 1 FROM vault_key WHERE subject LIKE $1', [`mem:${id}/%`])).rowCount;
    expect(await keys()).toBe(1);
    const vault = new Vault(server.pool, MasterKey.of(MASTER)!);
    const events = ((await server.log()) as Body[]).filter(({ stream_id: stream }) => stream === `memory-${id}`);
    expect(await vault.open(`mem:${id}/1/`, events[0].data.sealed as string)).toEqual({ ok: false, reason: 'gone' });
    expect((await admin('DELETE', `agent/memory/${id}`)).status).toBe(200);
    expect(await keys()).toBe(0);
    for (const [method, path, body] of [['DELETE', ''], ['POST', '/redact', { texts: ['gate'] }]] as const) expect((await admin(method, `agent/memory/${id}${path}`, body)).status).toBe(410);
    await now('');
    const answers = [
      await now(''), await now('/search?q=gate orchard'), await admin('POST', 'agent/memory', { content: TEXT, tags: ['orchard gate tag'] }, key),
      await admin('GET', `audit/events?streamId=memory-${id}&minPosition=${await server.head()}`),
      await admin('GET', `agent/replay/streams/memory-${id}?version=1`), await admin('GET', `audit/proof/${events[0].event_id as string}`),
    ];
    for (const { text } of answers) expect(text).not.toMatch(/orchard/);
    for (const text of ['gate code of the orchard', 'gate [redacted] of', 'orchard gate tag']) expect(await tablesHolding(server.pool, text)).toEqual([]);
    expect((await admin('GET', 'audit/verify')).text).toMatch(/"ok":true/);
  });
});

const scoreIn = (found: readonly Body[], content: string) => found.find((each: Body) => each.content === content).score as number;
