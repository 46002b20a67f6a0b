import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RISKY_SCHEMAS } from './risky-schemas';
import { CountingServer } from './counting-server';
import { jobs } from './jobs';
import type { Body } from './server';

describe('The tools of a site\'s own', () => {
  const { server, agent, open, reviewer } = jobs();
  let outside: CountingServer;
  beforeAll(async () => {
    outside = await CountingServer.start();
    await server().admin('PUT', 'settings', { outbound: { allowHosts: [outside.host] } });
  });
  afterAll(() => outside.close());

  const body = (more: Body = {}): Body => ({
    kind: 'http', description: 'Looks a customer up', inputSchema: { type: 'object' }, requiredCapabilities: ['items:read'], risk: 'read', http: { url: outside.url }, ...more,
  });
  const put = (name: string, whole: Body, by = server().admin) => by('PUT', `agent/tools/${name}`, whole);
  const get = async (name: string) => (await server().admin('GET', `agent/tools/${name}`)).body?.data as Body;
  const remove = (name: string) => server().admin('DELETE', `agent/tools/${name}`);
  const call = async (name: string, args: Body = {}) => (await (await open()).call(name, args)).data as Body;
  const pointers = ({ body: problem }: { readonly body: Body }) => (problem.facts.errors as Body[]).map(({ pointer }) => pointer as string);

  it('[TOOL-017] are registered with every key of their kind', async () => {
    const common = {
      description: 'Does a thing', inputSchema: { type: 'object', properties: { n: { type: 'integer' } } }, outputSchema: { type: 'object' }, requiredCapabilities: ['crm:read', 'items:read'], risk: 'write', dangerous: true,
      irreversible: false, idempotent: true, stageable: true, timeoutMs: 1_234, rateLimit: { calls: 5, perMs: 1_000 }, owner: 'ops', enabled: false,
    };
    const kinds: readonly (readonly [string, Body])[] = [
      ['http', { http: { url: 'https://crm.example/look-up', method: 'PUT', headers: { 'X-Account': 'secret://account' }, auth: 'secret://crm' } }], ['worker', { worker: { leaseMs: 5_000 } }], ['mcp', { mcp: { server: 'files', tool: 'read' } }], ['client', {}],
    ];
    for (const [kind, block] of kinds) {
      const answer = await put(`own_${kind}`, { ...common, kind, ...block });
      expect([answer.status, answer.body.data]).toMatchObject([200, { name: `own_${kind}`, kind, ...common }]);
      expect(await get(`own_${kind}`)).toMatchObject({ http: null, worker: null, mcp: null, ...common, ...block });
      expect((await agent()('GET', `agent/tools/own_${kind}`)).body.data).toMatchObject({ name: `own_${kind}`, http: null, worker: null, mcp: null });
      await remove(`own_${kind}`);
    }
    // A skill is there already; what is put under its name with its kind is an override.
    expect((await put('note', { kind: 'skill', timeoutMs: 99 })).body.data).toMatchObject({ kind: 'skill', timeoutMs: 99 });
    await remove('note');
    const least = await put('least', { kind: 'client', description: 'x', inputSchema: { type: 'object' }, requiredCapabilities: ['items:read'], risk: 'read' });
    expect(least.body.data).toMatchObject({ enabled: true, timeoutMs: 30_000, dangerous: false, irreversible: false, outputSchema: null, rateLimit: null });
    await remove('least');
  });

  it('are told with pointers what is wrong with them, and by whom they may be registered', async () => {
    const before = await server().head();
    const refused: readonly (readonly [string, Body, readonly string[]])[] = [
      ['crm', { kind: 'http' }, ['/description', '/inputSchema', '/requiredCapabilities', '/risk', '/http/url']],
      ['crm', body({ http: {} }), ['/http/url']], ['crm', body({ http: { url: 'nowhere' } }), ['/http/url']], ['crm', body({ http: { url: outside.url, auth: 'abc' } }), ['/http/auth']],
      ['crm', body({ http: { url: outside.url, headers: { Host: 'x', 'X-Api-Key': 'k3y-0123456789' } } }), ['/http/headers/Host', '/http/headers/X-Api-Key']],
      ['crm', body({ kind: 'worker' }), ['/http']], ['crm', body({ kind: 'robot' }), ['/kind']], ['crm', body({ kind: 'skill', http: undefined }), ['/kind']], ['crm', body({ surprise: 1 }), ['/surprise']],
      ['crm', body({ inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '(?=a)' } } }, outputSchema: { type: 'object', $ref: '#/none' } }), ['/inputSchema', '/outputSchema']],
    ];
    for (const [name, whole, expected] of refused) {
      const answer = await put(name, whole);
      expect([answer.status, answer.body.code, pointers(answer)]).toEqual([422, 'VALIDATION_FAILED', expected]);
    }
    for (const name of ['updateItem', 'UPDATEITEM', 'note']) expect(await put(name, body())).toMatchObject({ status: 422, body: { code: 'RESERVED_NAME' } });
    expect((await put('crm', { risk: 'read' })).status).toBe(403);
    expect((await put('crm', body(), agent())).status).toBe(403);
    expect(await server().head()).toBe(before);
    const registrar = await server().newKey({ name: 'registrar', capabilities: ['tools:write'] });
    expect((await put('crm', body(), registrar)).body.data).toMatchObject({ owner: registrar.id });
    await remove('crm');
  });

  it('[TOOL-019] are removed by DELETE, while a skill falls back to its default', async () => {
    await put('crm', body());
    expect(await call('crm')).toMatchObject({ status: 'executed' });
    await put('crm', { timeoutMs: 5, enabled: false });
    expect((await remove('crm')).body.data).toMatchObject({ name: 'crm', enabled: false });
    expect([(await server().admin('GET', 'agent/tools/crm')).status, (await remove('crm')).status]).toEqual([403, 403]);
    expect(await call('crm')).toMatchObject({ status: 'denied', reason: 'tool_not_registered' });
    await put('crm', body());
    expect(await get('crm')).toMatchObject({ timeoutMs: 30_000, enabled: true, override: {} });
    await remove('crm');

    const plain = await get('note');
    await put('note', { timeoutMs: 5, enabled: false });
    expect((await remove('note')).body.data).toMatchObject({ timeoutMs: 30_000, enabled: true });
    expect(await get('note')).toEqual(plain);
  });

  it('are not run with an approval that was asked for before they were removed or registered anew', async () => {
    await put('crm', body({ risk: 'write' }));
    outside.reset();
    const decide = async (id: string) => reviewer()('POST', `agent/approvals/${id}/decide`, { decision: 'approved' });
    const [first, second] = [await call('crm', { n: 1 }), await call('crm', { n: 2 })] as [Body, Body];
    expect([first.status, second.status]).toEqual(['pending_approval', 'pending_approval']);
    await put('crm', body({ risk: 'write', http: { url: `${outside.url}/elsewhere` } }));
    expect(await decide(first.approvalId)).toMatchObject({ status: 409, body: { code: 'ACTION_CHANGED' } });
    await remove('crm');
    expect((await decide(second.approvalId)).status).toBe(409);
    expect(outside.received).toEqual([]);
  });

  it('[TOOL-011] that send something out are irreversible, and so asked for each time, unless they are marked otherwise', async () => {
    outside.reset();
    const put3 = async (more: Body) => (await put('send', body({ risk: 'write', ...more }))).body.data as Body;
    expect(await put3({})).toMatchObject({ irreversible: true, dangerous: true });
    // Neither the site nor trust makes it run by itself.
    await put('send', { dangerous: false });
    expect(await get('send')).toMatchObject({ irreversible: true, dangerous: true });
    await server().admin('PUT', 'agent/autonomy/grants', { agentRole: 'Writer', capability: 'items:read', level: 4 });
    expect((await (await open({ agentRole: 'Writer' })).call('send')).data).toMatchObject({ status: 'pending_approval', autonomy: 2 });
    expect(outside.received).toEqual([]);
    expect(await put3({ irreversible: false })).toMatchObject({ irreversible: false, dangerous: false });
    expect(await call('send')).toMatchObject({ status: 'executed' });
    expect(await put3({ risk: 'read' })).toMatchObject({ irreversible: false });
    expect((await put('send', { risk: 'destructive' })).body.data).toMatchObject({ irreversible: true });
    await remove('send');
  });

  it('[SEC-013] with a schema that is a bomb, or deeply nested, are refused within a time bound', async () => {
    const started = performance.now();
    for (const [what, schema] of Object.entries(RISKY_SCHEMAS)) {
      for (const key of ['inputSchema', 'outputSchema']) {
        const before = performance.now();
        const answer = await put('bomb', body({ [key]: schema }));
        expect([what, [413, 422, 400].includes(answer.status)]).toEqual([what, true]);
        expect(performance.now() - before).toBeLessThan(10_000);
      }
    }
    expect(performance.now() - started).toBeLessThan(60_000);
    expect((await server().admin('GET', 'agent/tools/bomb')).status).toBe(403);
  });
});
