import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { skill } from '@app/skills';
import { z } from 'zod';
import { rawServer, rawTool, type RawServer } from '../../libs/tool-mcp/src/testing';
import { conformance, withKey } from './mcp/conformance';
import { CLAIMED, UNCLAIMED } from './mcp/conformance-claims';
import { conformanceSkills } from './mcp/conformance-skills';
import { bridged, inspected } from './mcp/programs';
import { ask, askLegacy, connected, resultOf, REVISION, REVISIONS_2025 } from './mcp/clients';
import { testServer, type Api, type Body, type TestServer } from './server';

type Key = Api & { readonly id: string };

/** What this endpoint never offers, here as skills that would do it. */
const STANDALONE = ['export_backup', 'restore_backup', 'install_marketplace_extension', 'publish_extension', 'upload_media'].map((name) =>
  skill(name, { description: name, input: z.strictObject({}), capability: 'items:read', risk: 'read', run: () => Promise.resolve({ ok: true, data: 'done', position: 0n }) }),
);
const isControlPlane = ({ name, requiredCapabilities, dangerous }: Body) =>
  dangerous === true || (name as string).startsWith('delete') || (requiredCapabilities as string[]).some((one) => one.startsWith('schema:') && one !== 'schema:read');

describe('The MCP endpoint', () => {
  let server: TestServer;
  let upstream: RawServer;
  let agent: Key;
  let ada: Key;
  const clients: Client[] = [];

  const client = async (api: Api, options: Parameters<typeof connected>[2] = {}) => {
    const made = await connected(server.url, api.key, options);
    clients.push(made);
    return made;
  };
  const call = async (api: Api, name: string, args: Body = {}, more: Parameters<typeof ask>[3] & { readonly _meta?: Body } = {}): Promise<Body> =>
    resultOf(await ask(api, 'tools/call', { name, arguments: args, ...(more._meta && { _meta: more._meta }) }, more));
  const namesFor = async (api: Api, headers = {}) => (resultOf(await ask(api, 'tools/list', {}, { headers })).tools as Body[]).map(({ name }) => name as string);
  const newItem = async (sku: string) => (await server.admin('POST', 'items/products', { data: { sku, title: sku } })).body.data.id as string;
  const open = async (api: Api, more: Body = {}) => (await api('POST', 'agent/goals', { title: 'Work', agentName: 'robot', ...more })).body.data.runId as string;

  beforeAll(async () => {
    server = await testServer({}, [...STANDALONE, ...conformanceSkills]);
    agent = await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:write', 'items:update', 'items:delete', 'schema:read', 'mcp:docs'] });
    ada = await server.newKey({ name: 'Ada', kind: 'human', capabilities: ['*'], roles: ['admin'] });
    upstream = await rawServer([rawTool('search', { annotations: { readOnlyHint: true } }), rawTool('erase')]);
    await server.admin('PUT', 'settings', { outbound: { allowHosts: ['127.0.0.1'] }, budget: { maxToolCalls: 10_000, timeoutMs: 600_000 } });
    await server.admin('POST', 'agent/tools/import/mcp', { server: 'docs', transport: { type: 'http', url: upstream.url } });
  });
  afterAll(async () => {
    await Promise.all(clients.map((one) => one.close()));
    await server.close();
    await upstream.close();
  });

  it('[MCP-003] answers 404 while the flag is off, and as soon as it is off again', async () => {
    for (const method of ['POST', 'GET', 'DELETE']) {
      const answer = await server.admin(method, 'mcp', method === 'POST' ? { jsonrpc: '2.0', id: 1, method: 'ping' } : undefined);
      expect([method, answer.status, answer.body.code]).toEqual([method, 404, 'NOT_FOUND']);
    }
    await server.admin('PUT', 'settings', { contentOs: { mcp: true } });
    expect((await ask(agent, 'tools/list')).status).toBe(200);
    await server.admin('PUT', 'settings', { contentOs: { mcp: false } });
    expect((await ask(agent, 'tools/list')).status).toBe(404);
    await server.admin('PUT', 'settings', { contentOs: { mcp: true } });
  });

  it('sends nobody to an issuer while none is configured', async () => {
    for (const path of ['', '/api/v1/mcp']) expect([path, (await agent('GET', `/.well-known/oauth-protected-resource${path}`)).status]).toEqual([path, 404]);
    const unknown = await server.as('hk_nobody-knows-this-one')('POST', 'mcp', {});
    expect([unknown.status, unknown.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it('[MCP-001] speaks revision 2026-07-28 with neither handshake nor session', async () => {
    const found = await ask(agent, 'server/discover');
    expect([found.status, found.body.result.supportedVersions, found.headers.get('mcp-session-id')]).toEqual([200, expect.arrayContaining([REVISION]), null]);
    const first = await ask(agent, 'tools/call', { name: 'listCollections', arguments: {} });
    expect([first.status, first.headers.get('mcp-session-id'), resultOf(first).structuredContent.status]).toEqual([200, null, 'executed']);
    const modern = await client(agent);
    expect(modern.getNegotiatedProtocolVersion()).toBe(REVISION);
    expect((await modern.callTool({ name: 'listItems', arguments: { collection: 'products' } })).structuredContent).toMatchObject({ status: 'executed' });
  });

  it('[MCP-002] speaks the revisions before with initialize', async () => {
    for (const revision of REVISIONS_2025) {
      const hello = await askLegacy(agent, { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'old', version: '1' } } }, revision);
      expect([revision, hello.status, hello.message.result.protocolVersion, hello.message.result.capabilities.tools]).toEqual([revision, 200, revision, {}]);
      expect((await askLegacy(agent, { jsonrpc: '2.0', method: 'notifications/initialized' }, revision)).status).toBe(202);
      const called = await askLegacy(agent, { jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name: 'listCollections', arguments: {} } }, revision);
      expect([called.message.id, called.message.result.isError, called.message.result.content[0].type]).toEqual(['c', undefined, 'text']);
    }
    const legacy = await client(agent, { era: 'legacy' });
    expect(legacy.getNegotiatedProtocolVersion()).toBe('2025-11-25');
    expect((await legacy.listTools()).tools.length).toBeGreaterThan(5);
    expect((await legacy.callTool({ name: 'listCollections', arguments: {} })).structuredContent).toMatchObject({ status: 'executed' });
  });

  describe('offers', () => {
    const registered = async () => (await server.admin('GET', 'agent/tools?limit=200')).body.data as Body[];
    const listed = async (api: Api, headers = {}) => resultOf(await ask(api, 'tools/list', {}, { headers })).tools as Body[];

    it('[MCP-004] the enabled tools that the token may use, with schemas and annotations', async () => {
      await server.admin('PUT', 'agent/tools/getItem', { enabled: false });
      await server.admin('PUT', 'agent/tools/docs.erase', { dangerous: true, risk: 'destructive', idempotent: true });
      const all = (await registered()).filter(({ name }) => !STANDALONE.some(({ definition }) => definition.name === name));
      const capabilities = ['items:read', 'items:update', 'mcp:docs'];
      const one = await server.newKey({ name: 'lister', capabilities });
      const usable = all.filter((tool) => (tool.requiredCapabilities as string[]).every((wanted) => capabilities.includes(wanted)));
      expect(usable.map(({ name }) => name)).not.toContain('getItem');
      const own = usable.filter((tool) => tool.kind !== 'skill' || !isControlPlane(tool));
      expect((await listed(one)).map(({ name }) => name)).toEqual(['approval_status', ...own.map(({ name }) => name as string).toSorted()]);
      expect(await namesFor(ada)).toEqual(['approval_status', ...all.map(({ name }) => name as string).toSorted()]);
      expect(await namesFor(await server.newKey({ capabilities: [] }))).toEqual(['approval_status']);
      for (const tool of (await listed(ada)).slice(1)) {
        const { inputSchema, risk, idempotent, kind, dangerous } = all.find(({ name }) => name === tool.name)!;
        expect([tool.name, tool.inputSchema]).toEqual([tool.name, { ...inputSchema, type: 'object' }]);
        expect(tool.annotations).toMatchObject({ readOnlyHint: risk === 'read', openWorldHint: kind !== 'skill', idempotentHint: idempotent || risk === 'read', destructiveHint: risk === 'destructive' || (dangerous && risk !== 'read') });
      }
      await server.admin('PUT', 'agent/tools/getItem', { enabled: true });
      expect(await namesFor(one)).toContain('getItem');
    });

    it('to the bearer of a run token what its run may do, and to a role what the role may', async () => {
      const runId = await open(agent, { agentRole: 'Translator' });
      const token = server.as((await agent('POST', `agent/runs/${runId}/token`, {})).body.data.token as string);
      const names = await namesFor(token);
      expect([names.includes('updateItem'), names.includes('createItem'), names.includes('docs.search')]).toEqual([true, false, false]);
      expect(await namesFor(agent, { 'x-run-id': runId })).toEqual(names);
      expect(await namesFor(await server.newKey({ capabilities: ['*'], agentRole: 'Translator' }))).toEqual(names.filter((name) => name !== 'x'));
    });

    it('[SKILL-017] no backups, no marketplace and no binary media, to nobody', async () => {
      const names = await namesFor(ada);
      const runId = await open(ada);
      for (const { definition: { name } } of STANDALONE) {
        expect((await ada('POST', `agent/runs/${runId}/tool-calls`, { tool: name, arguments: {} })).body.data.status).toBe('executed');
        const before = await server.head();
        expect([name, names.includes(name), (await ask(ada, 'tools/call', { name, arguments: {} })).body.error.code, await server.head()]).toEqual([name, false, -32602, before]);
      }
    });
  });

  describe('calls', () => {
    it('[MCP-005] a dangerous tool into a pending approval, which is no error of the protocol', async () => {
      const erase = { docs: 'all' };
      for (const answer of [
        await ask(agent, 'tools/call', { name: 'docs.erase', arguments: erase }), await ask(server.admin, 'tools/call', { name: 'deleteItem', arguments: { collection: 'products', id: await newItem('M-1') } }),
        { ...(await askLegacy(agent, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'docs.erase', arguments: erase } })) },
      ]) {
        const { result, error } = 'message' in answer ? answer.message as Body : answer.body;
        expect([answer.status, error, result.isError]).toEqual([200, undefined, undefined]);
        const { approvalId } = result.structuredContent;
        expect(result.structuredContent).toMatchObject({ status: 'pending_approval', approvalId: expect.stringMatching(/^appr_/), retryAfterMs: expect.any(Number), deepLink: `/studio#/approvals/${approvalId}` });
        expect(result.content[0].text).toContain(approvalId);
        expect((await ada('GET', `agent/approvals/${approvalId as string}`)).body.data.status).toBe('pending');
      }
    });

    it('and tells by approval_status what became of it: to its owner alone', async () => {
      const { approvalId } = (await call(agent, 'docs.erase', { docs: 'old' })).structuredContent;
      const status = async (api: Api) => (await call(api, 'approval_status', { approvalId })).structuredContent;
      expect(await status(agent)).toMatchObject({ status: 'pending_approval', approvalId });
      const stranger = await server.newKey({ capabilities: ['*'] });
      const unknown = (await call(stranger, 'approval_status', { approvalId: 'appr_00000000000000000000000000000000' })).structuredContent;
      expect([await status(stranger), unknown.code]).toEqual([unknown, 'FORBIDDEN']);
      await ada('POST', `agent/approvals/${approvalId as string}/decide`, { decision: 'approved' });
      expect(await status(agent)).toMatchObject({ status: 'executed', approvalId, result: { content: [{ type: 'text', text: '{"docs":"old"}' }] } });
      const other = (await call(agent, 'docs.erase', { docs: 'new' })).structuredContent;
      await ada('POST', `agent/approvals/${other.approvalId as string}/decide`, { decision: 'rejected', reason: 'We need them' });
      const told = await call(agent, 'approval_status', { approvalId: other.approvalId });
      expect([told.isError, told.structuredContent.status, told.content[0].text]).toEqual([true, 'denied', expect.stringContaining('We need them')]);
    });

    it('[MCP-006] [MCP-007] refuses a control-plane skill to all but admins, before the door, and audits that', async () => {
      const runId = await open(agent);
      const args = { name: 'deleteCollection', arguments: { name: 'products' } };
      const before = await server.head();
      const refused = [await ask(agent, 'tools/call', args), await ask(agent, 'tools/call', args, { headers: { 'x-run-id': runId } }), await askLegacy(agent, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: args })];
      expect(refused.map(({ status, body }) => [status, body.code, body.facts])).toEqual(Array(3).fill([403, 'CONTROL_PLANE_FORBIDDEN', { tool: 'deleteCollection' }]));
      const since = (await server.log()).filter(({ position }: Body) => BigInt(position as string) > before);
      expect(since.map(({ type, data, metadata }: Body) => [type, data.tool, data.principalId, data.runId, metadata.actor.id])).toEqual([null, runId, null].map((run) => ['ControlPlaneSkillDenied', 'deleteCollection', agent.id, run, agent.id]));
      const { data } = (await server.admin('GET', `agent/activity?kind=mcp_control_plane_skill_denied&minPosition=${await server.head()}`)).body;
      expect(data.slice(0, 3)).toEqual(Array(3).fill(expect.objectContaining({ kind: 'mcp_control_plane_skill_denied', actorId: agent.id, subjectId: agent.id, detail: expect.objectContaining({ tool: 'deleteCollection' }) })));
      // The token of an admin's run carries no role.
      const adminRun = await open(ada);
      const token = server.as((await ada('POST', `agent/runs/${adminRun}/token`, {})).body.data.token as string);
      expect((await ask(token, 'tools/call', args)).body.code).toBe('CONTROL_PLANE_FORBIDDEN');
      // One among many refuses all of them.
      const batch = await askLegacy(agent, [{ jsonrpc: '2.0', id: 1, method: 'ping' }, { jsonrpc: '2.0', id: 2, method: 'tools/call', params: args }] as never, '2025-03-26');
      expect([batch.status, batch.body.code]).toEqual([403, 'CONTROL_PLANE_FORBIDDEN']);
      expect((await call(ada, args.name, args.arguments)).structuredContent.status).toBe('pending_approval');
    });

    it('[MCP-008] counts every skill that is dangerous, changes the schema or is named delete* to the control plane, whatever the site says of it', async () => {
      const everything = await server.newKey({ capabilities: ['*'] });
      await server.admin('PUT', 'agent/tools/deleteItem', { dangerous: false });
      await server.admin('PUT', 'agent/tools/createItem', { dangerous: true });
      await server.admin('PUT', 'agent/tools/listItems', { requiredCapabilities: ['schema:update'] });
      const skills = ((await server.admin('GET', 'agent/tools?limit=200')).body.data as Body[]).filter(({ kind, name }) => kind === 'skill' && !STANDALONE.some(({ definition }) => definition.name === name));
      const closed = skills.filter(isControlPlane).map(({ name }) => name as string);
      expect(closed).toEqual(expect.arrayContaining(['createCollection', 'createField', 'createVersion', 'createItem', 'deleteItem', 'deleteCollection', 'listItems']));
      const statuses = await Promise.all(closed.map(async (name) => [name, (await ask(everything, 'tools/call', { name, arguments: {} })).status]));
      expect(statuses).toEqual(closed.map((name) => [name, 403]));
      const open = await namesFor(everything);
      expect(skills.filter(({ name }) => open.includes(name as string)).map(({ name }) => name)).toEqual(skills.filter((tool) => !isControlPlane(tool)).map(({ name }) => name));
      for (const name of ['deleteItem', 'createItem', 'listItems']) await server.admin('DELETE', `agent/tools/${name}`);
    });

    it('[MCP-009] leaves discovery and safe reads to everybody', async () => {
      const reader = await server.newKey({ capabilities: ['items:read', 'schema:read'] });
      const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'old', version: '1' } };
      for (const [method, params] of [['initialize', hello], ['ping', {}], ['tools/list', {}], ['tools/call', { name: 'listCollections', arguments: {} }], ['tools/call', { name: 'listItems', arguments: { collection: 'products' } }]] as const) {
        const answer = await askLegacy(reader, { jsonrpc: '2.0', id: 1, method, params });
        expect([method, answer.status, answer.message.error, answer.message.result.isError]).toEqual([method, 200, undefined, undefined]);
      }
      expect((await ask(reader, 'tools/list')).status).toBe(200);
      expect((await call(reader, 'listItems', { collection: 'products' })).structuredContent.status).toBe('executed');
    });

    it('tells each decision of the door as a result', async () => {
      const id = await newItem('R-1');
      await server.admin('POST', `items/products/${id}/pins`, { fields: ['title'] });
      const pinned = await call(agent, 'updateItem', { collection: 'products', id, data: { title: 'Mine' } });
      expect([pinned.isError, pinned.structuredContent.reason, pinned.structuredContent.rule]).toEqual([true, 'pinned_by_human', 'pins']);
      expect((await call(agent, 'nothing')).structuredContent).toMatchObject({ status: 'denied', reason: 'tool_not_registered' });
      expect((await call(agent, 'updateItem', { wrong: true })).structuredContent).toMatchObject({ status: 'denied', reason: 'invalid_arguments', facts: { errors: expect.any(Array) } });
      upstream.on['tools/call'] = () => ({ result: { isError: true, content: [{ type: 'text', text: 'The disk is full' }] } });
      const failed = await call(agent, 'docs.search');
      expect([failed.isError, failed.structuredContent.status, failed.content[0].text]).toEqual([true, 'failed', expect.stringContaining('The disk is full')]);
      delete upstream.on['tools/call'];
      await server.admin('PUT', 'settings', { contentOs: { vetoWindow: true } });
      const other = await newItem('R-2');
      const staged = await call(agent, 'updateItem', { collection: 'products', id: other, data: { title: 'Later' } }, { headers: { 'x-run-id': await open(agent, { approvalPolicy: 'before_commit' }) } });
      expect([staged.isError, staged.structuredContent]).toEqual([undefined, expect.objectContaining({ status: 'staged', stagingId: expect.any(String), autoCommitAt: expect.any(String) })]);
      await server.admin('PUT', 'settings', { contentOs: { vetoWindow: false } });
      await server.admin('PUT', 'agent/tools/docs.search', { rateLimit: { calls: 1, perMs: 60_000 } });
      const answers = [await call(agent, 'docs.search'), await call(agent, 'docs.search')];
      expect(answers.at(-1)).toMatchObject({ isError: true, structuredContent: { status: 'deferred', retryAfterMs: expect.any(Number) } });
      await server.admin('DELETE', 'agent/tools/docs.search');
      await server.admin('POST', 'agent/tools/import/mcp', { server: 'docs', transport: { type: 'http', url: upstream.url } });
    });
  });

  describe('makes calls', () => {
    const runOf = async (callId: string): Promise<string> => {
      const { rows } = await server.pool.query<Body>(`SELECT DISTINCT stream_id FROM es_event WHERE data::jsonb ->> 'callId' = $1`, [callId]);
      return (rows[0].stream_id as string).slice('run-'.length);
    };
    const runBehind = async (api: Api, more: Parameters<typeof call>[3] = {}) => runOf((await call(api, 'listItems', { collection: 'products' }, more)).structuredContent.callId as string);

    it('that name no run on one run of the key and the day, and on the next when that has ended or used up its calls', async () => {
      const one = await server.newKey({ name: 'a <b> \u{1F916}', capabilities: ['items:read'] });
      const [first, second] = await Promise.all([runBehind(one), runBehind(one)]);
      expect([second, await runBehind(one)]).toEqual([first, first]);
      const { data } = (await one('GET', `agent/runs/${first}`)).body;
      expect([data.kind, data.agentName, data.envelope.principalId, data.budgetUsed.toolCalls]).toEqual(['external', 'a -b- -', one.id, 3]);
      await one('POST', `agent/runs/${first}/complete`, {});
      await server.admin('PUT', 'settings', { budget: { maxToolCalls: 2 } });
      const third = await runBehind(one);
      expect([third === first, await runBehind(one)]).toEqual([false, third]);
      const fourth = await runBehind(one);
      expect([fourth === third, fourth === first]).toEqual([false, false]);
      await server.admin('PUT', 'settings', { budget: { maxToolCalls: 10_000 } });
      expect(await runBehind(await server.newKey({ capabilities: ['items:read'] }))).not.toBe(fourth);
      // What a key was given since is not held back until tomorrow.
      await server.admin('PUT', `api-keys/${one.id}`, { capabilities: ['items:read', 'schema:read'] });
      expect((await call(one, 'listCollections')).structuredContent.status).toBe('executed');
    });

    it('on the run that a token, a header or the request names, and on no other', async () => {
      const runId = await open(agent);
      const token = server.as((await agent('POST', `agent/runs/${runId}/token`, {})).body.data.token as string);
      expect(await runBehind(token)).toBe(runId);
      expect(await runBehind(agent, { headers: { 'x-run-id': runId } })).toBe(runId);
      expect(await runBehind(agent, { _meta: { 'agent-harness/run-id': runId } })).toBe(runId);
      const other = await open(agent);
      const stranger = await server.newKey({ capabilities: ['*'] });
      const args = { collection: 'products' };
      for (const [api, named] of [[token, other], [stranger, runId], [agent, 'run_00000000000000000000000000000000']] as const) {
        const refused = await call(api, 'listItems', args, { _meta: { 'agent-harness/run-id': named } });
        expect([refused.isError, refused.structuredContent.code]).toEqual([true, 'FORBIDDEN']);
      }
      await agent('POST', `agent/runs/${other}/complete`, {});
      expect((await call(agent, 'listItems', args, { headers: { 'x-run-id': other } })).structuredContent).toMatchObject({ status: 'refused', code: 'RUN_TERMINAL' });
      expect((await ask(agent, 'tools/list', {}, { headers: { 'x-run-id': 'mine' } })).status).toBe(422);
    });

    it('once under an id that the client chose', async () => {
      const args = { collection: 'products', data: { sku: 'C-1', title: 'Once' } };
      const twice = [await call(agent, 'createItem', args, { _meta: { 'agent-harness/call-id': 'mine-1' } }), await call(agent, 'createItem', args, { _meta: { 'agent-harness/call-id': 'mine-1' } })];
      expect(twice[1].structuredContent).toEqual(twice[0].structuredContent);
      expect((await call(agent, 'createItem', { ...args, data: { sku: 'C-2', title: 'Other' } }, { _meta: { 'agent-harness/call-id': 'mine-1' } })).structuredContent).toMatchObject({ status: 'refused', code: 'IDEMPOTENCY_MISMATCH' });
    });

    it('of nobody while the site is frozen, and says so', async () => {
      await server.admin('POST', 'agent/kill-switch', { scope: 'site' });
      const fresh = await server.newKey({ capabilities: ['items:read'] });
      expect((await call(fresh, 'listItems', { collection: 'products' })).structuredContent).toMatchObject({ status: 'refused', code: 'FROZEN' });
      await server.admin('POST', 'agent/kill-switch/lift', { scope: 'site' });
      expect((await call(fresh, 'listItems', { collection: 'products' })).structuredContent.status).toBe('executed');
    });
  });

  it('lets in pages of its own origin alone, under no borrowed name, and nobody without a key', async () => {
    const { host } = new URL(server.url);
    const from = async (headers: Record<string, string>) => (await ask(agent, 'tools/list', {}, { headers })).status;
    expect([await from({ origin: server.url }), await from({ origin: 'https://evil.example' }), await from({ origin: 'null' })]).toEqual([200, 403, 403]);
    expect(host.startsWith('127.0.0.1')).toBe(true);
    const nobody = await ask(server.as('hk_nobody'), 'tools/list');
    expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect((await agent('POST', 'mcp', '{"jsonrpc":', { accept: 'application/json, text/event-stream' })).status).toBe(400);
    expect((await agent('POST', 'mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { much: 'x'.repeat(1_100_000) } }), { accept: 'application/json, text/event-stream' })).status).toBe(413);
    for (const method of ['GET', 'DELETE']) expect((await agent(method, 'mcp')).status).toBe(405);
  });

  describe('waits', () => {
    it.each(['auto', 'legacy'] as const)('[MCP-011] for an approval and reports progress, to a client of the era %s', async (era) => {
      const waiting = await client(agent, { era });
      for (const wait of [
        (progress: (message: string) => void) => waiting.callTool({ name: 'docs.erase', arguments: { docs: `in one ${era}` }, _meta: { 'agent-harness/wait-ms': 60_000 } }, { onprogress: ({ message }) => progress(message!) }),
        async (progress: (message: string) => void) => {
          const { approvalId } = (await waiting.callTool({ name: 'docs.erase', arguments: { docs: `in two ${era}` } })).structuredContent as Body;
          return waiting.callTool({ name: 'approval_status', arguments: { approvalId, waitMs: 60_000 } }, { onprogress: ({ message }) => progress(message!) });
        },
      ]) {
        const told: string[] = [];
        let decided: Promise<unknown> | undefined;
        const result = await wait((message) => {
          told.push(message);
          const approvalId = /appr_[0-9a-f]{32}/.exec(message)?.[0];
          if (approvalId !== undefined) decided ??= ada('POST', `agent/approvals/${approvalId}/answer`, { text: 'Looking' }).then(() => ada('POST', `agent/approvals/${approvalId}/decide`, { decision: 'approved' }));
        });
        await decided;
        expect([told[0], told.includes('A reviewer answered'), told.length >= 3]).toEqual([expect.stringMatching(/^Waiting for a person to decide appr_/), true, true]);
        expect(result.structuredContent).toMatchObject({ status: 'executed', approvalId: expect.any(String) });
      }
    });

    it('no longer than it was asked to, and not at all for a run that has ended', async () => {
      const runId = await open(agent);
      const { approvalId, status } = (await call(agent, 'docs.erase', { docs: 'late' }, { headers: { 'x-run-id': runId }, _meta: { 'agent-harness/wait-ms': 50 } })).structuredContent;
      expect(status).toBe('pending_approval');
      const waiting = call(agent, 'approval_status', { approvalId, waitMs: 60_000 });
      await agent('POST', `agent/runs/${runId}/complete`, {});
      expect((await waiting).structuredContent).toMatchObject({ status: 'denied', rule: 'superseded' });
      expect((await call(agent, 'approval_status', { approvalId, waitMs: -1 })).structuredContent).toMatchObject({ status: 'refused', code: 'VALIDATION_FAILED' });
    });
  });

  describe('lets a person decide in the client', () => {
    const asked: string[] = [];
    const saying = (content: Record<string, string>, action: 'accept' | 'decline' = 'accept') => (message: string) => {
      asked.push(message);
      return action === 'accept' ? { action, content } : { action };
    };
    const toDelete = async () => ({ name: 'deleteItem', arguments: { collection: 'products', id: await newItem('D-1') } });
    const decisionOf = async (approvalId: string) => (await server.admin('GET', `agent/approvals/${approvalId}`)).body.data as Body;
    const FORM = { elicitation: { form: {} } };

    it('[MCP-012] who approves there, by the same command and with the same record as anywhere', async () => {
      const adas = await client(ada, { fillsIn: saying({ decision: 'approve', reason: 'Mine' }) });
      const wanted = await toDelete();
      const { structuredContent } = (await adas.callTool(wanted)) as Body;
      expect(structuredContent).toMatchObject({ status: 'executed', approvalId: expect.any(String) });
      expect(asked.at(-1)).toContain(wanted.arguments.id);
      expect(await decisionOf(structuredContent.approvalId as string)).toMatchObject({ status: 'approved', decidedBy: ada.id, approverType: 'human', channel: 'mcp', assurance: 'api_key', reason: 'Mine' });
      expect((await ada('GET', `items/products/${wanted.arguments.id}`)).status).toBe(410);
    });

    it('who rejects there, or would rather not say', async () => {
      const rejecting = await client(ada, { fillsIn: saying({ decision: 'reject' }) });
      const rejected = (await rejecting.callTool(await toDelete())) as Body;
      expect([rejected.isError, rejected.structuredContent.status]).toEqual([true, 'denied']);
      for (const fillsIn of [saying({}, 'decline'), saying({ decision: 'maybe' })]) {
        const { structuredContent } = (await (await client(ada, { fillsIn })).callTool(await toDelete())) as Body;
        expect([structuredContent.status, (await decisionOf(structuredContent.approvalId as string)).status]).toEqual(['pending_approval', 'pending']);
      }
    });

    it('but nobody who may not decide, or whose own request it is where duties are separated', async () => {
      const before = asked.length;
      const deaf = await client(ada);
      expect((await deaf.callTool(await toDelete())).structuredContent).toMatchObject({ status: 'pending_approval' });
      const robots = await client(agent, { fillsIn: saying({ decision: 'approve' }) });
      expect((await robots.callTool({ name: 'docs.erase', arguments: { docs: 'mine' } })).structuredContent).toMatchObject({ status: 'pending_approval' });
      await server.admin('PUT', 'settings', { separationOfDuties: true });
      const adas = await client(ada, { fillsIn: saying({ decision: 'approve' }) });
      expect((await adas.callTool(await toDelete())).structuredContent).toMatchObject({ status: 'pending_approval' });
      expect(asked.length).toBe(before);
      // Switched on between question and answer.
      await server.admin('PUT', 'settings', { separationOfDuties: false });
      const wanted = await toDelete();
      const question = resultOf(await ask(ada, 'tools/call', wanted, { capabilities: FORM }));
      await server.admin('PUT', 'settings', { separationOfDuties: true });
      const answer = { ...wanted, requestState: question.requestState, inputResponses: { approval: { action: 'accept', content: { decision: 'approve' } } } };
      expect(resultOf(await ask(ada, 'tools/call', answer, { capabilities: FORM })).structuredContent).toMatchObject({ status: 'refused', code: 'FORBIDDEN' });
      await server.admin('PUT', 'settings', { separationOfDuties: false });
      expect((await ada('GET', `items/products/${wanted.arguments.id}`)).status).toBe(200);
    });

    it('and an answer that is forged, or meant for another call or caller, changes nothing', async () => {
      const wanted = await toDelete();
      const question = resultOf(await ask(ada, 'tools/call', wanted, { capabilities: FORM }));
      expect([question.resultType, question.inputRequests.approval.method]).toEqual(['input_required', 'elicitation/create']);
      const inputResponses = { approval: { action: 'accept', content: { decision: 'approve' } } };
      const { requestState } = question;
      const grace = await server.newKey({ name: 'Grace', kind: 'human', capabilities: ['*'], roles: ['admin'] });
      const erase = { name: 'docs.erase', arguments: { docs: 'forged' } };
      const forged = async (api: Api, params: Body) => (await ask(api, 'tools/call', params, { capabilities: FORM })).body as Body;
      const before = (await server.log()).filter(({ type }: Body) => type === 'ApprovalApproved').length;
      expect((await forged(agent, { ...erase, inputResponses })).result.structuredContent.status).toBe('pending_approval');
      for (const [api, params] of [
        [agent, { ...erase, inputResponses, requestState }], [agent, { ...erase, inputResponses, requestState: 'v1.e30.AAAA' }], [grace, { ...wanted, inputResponses, requestState }],
        [ada, { ...wanted, arguments: { ...wanted.arguments, id: await newItem('D-2') }, inputResponses, requestState }], [ada, { ...wanted, inputResponses, requestState: `${requestState as string}x` }],
      ] as const) expect((await forged(api, params)).error.code).toBe(-32602);
      expect((await server.log()).filter(({ type }: Body) => type === 'ApprovalApproved').length).toBe(before);
      expect((await ada('GET', `items/products/${wanted.arguments.id}`)).status).toBe(200);
      // What was asked can still be answered, once.
      expect((await forged(ada, { ...wanted, inputResponses, requestState })).result.structuredContent.status).toBe('executed');
      expect((await forged(ada, { ...wanted, inputResponses, requestState })).result.structuredContent).toMatchObject({ status: 'refused', code: 'ALREADY_DECIDED' });
    });
  });

  it('[MCP-010] property O14: decides alike over MCP and REST, whatever the world, the tool, the input and the principal', async () => {
    const ids = { free: await newItem('O-1'), pinned: await newItem('O-2') };
    await server.admin('POST', `items/products/${ids.pinned}/pins`, { fields: ['title'] });
    const principals: Readonly<Record<string, Api>> = {
      reader: await server.newKey({ name: 'reader', capabilities: ['items:read'] }), writer: await server.newKey({ name: 'writer', capabilities: ['*'], agentRole: 'Writer' }),
      robot: await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:write', 'items:update', 'items:delete', 'mcp:docs'] }), ada,
    };
    const inputs: readonly (readonly [string, Body])[] = [
      ['listItems', { collection: 'products' }], ['listItems', { collection: 7 }], ['createItem', { collection: 'products', data: { sku: 'X', title: 'X' } }],
      ...Array.from({ length: 4 }, (): [string, Body] => ['updateItem', { collection: 'products', id: ids.free, data: { title: 'New' } }]), ['updateItem', { collection: 'products', id: ids.pinned, data: { title: 'New' } }],
      ['updateItem', { collection: 'products', id: 'item_none', data: { title: 'New' } }], ['deleteItem', { collection: 'products', id: ids.free }], ['createField', { collection: 'products', field: { name: 'x', type: 'text' } }],
      ['docs.search', { for: 'x' }], ['docs.erase', {}], ['nothing', {}], ['getItem', { collection: 'products', id: ids.free, more: true }],
    ];
    const effect = fc.constantFrom({ do: 'ask' }, { do: 'deny' }, { do: 'stage' }, { do: 'allow' }, { do: 'capLevel', level: 1 });
    const world = fc.record({
      vetoWindow: fc.boolean(), level: fc.integer({ min: 0, max: 4 }), disabled: fc.boolean(),
      rules: fc.array(fc.record({ name: fc.constant('one'), when: fc.constantFrom({ tool: 'updateItem' }, { tool: 'docs.erase' }, { risk: 'read' }, { role: 'Writer' }), then: effect }), { maxLength: 1 }),
    });
    const said = ({ status, reason, rule, facts, autonomy, autoCommitAt }: Body) => ({ status, reason, rule, facts, autonomy, stages: autoCommitAt !== undefined });
    const seen = new Set<string>();
    const last = new Map<string, string>();
    const put = async (path: string, body: Body) => {
      if (last.get(path) === JSON.stringify(body)) return;
      last.set(path, JSON.stringify(body));
      expect([path, (await server.admin('PUT', path, body)).status]).toEqual([path, 200]);
    };
    const pairs = new Map<string, Promise<[string, string]>>();
    /** Two runs opened alike, one for each way. */
    const runsOf = (name: string, approvalPolicy: string) => {
      const opened = pairs.get(`${name} ${approvalPolicy}`) ?? Promise.all([open(principals[name]!, { approvalPolicy }), open(principals[name]!, { approvalPolicy })]);
      pairs.set(`${name} ${approvalPolicy}`, opened);
      return opened;
    };
    await fc.assert(
      fc.asyncProperty(world, fc.constantFrom(...Object.keys(principals)), fc.constantFrom(...inputs), fc.boolean(), fc.constantFrom('none', 'before_execute', 'before_commit'), async ({ vetoWindow, level, disabled, rules }, name, [tool, args], restFirst, approvalPolicy) => {
        const api = principals[name]!;
        await Promise.all([
          put('settings', { contentOs: { vetoWindow } }), put('agent/policies', { rules }),
          put('agent/autonomy/grants', { agentRole: 'Writer', capability: 'items:update', level }), put('agent/tools/getItem', { enabled: !disabled }),
        ]);
        const [over, beside] = await runsOf(name, approvalPolicy);
        const rest = async () => (await api('POST', `agent/runs/${beside}/tool-calls`, { tool, arguments: args })).body.data as Body;
        const mcp = () => ask(api, 'tools/call', { name: tool, arguments: args }, { headers: { 'x-run-id': over } });
        const first = restFirst ? await rest() : undefined;
        const answered = await mcp();
        const other = first ?? (await rest());
        if (answered.status === 403) {
          expect([api === ada, ['deleteItem', 'createField'].includes(tool), other.status]).toEqual([false, true, expect.stringMatching(/pending_approval|denied/)]);
        } else expect(said(resultOf(answered).structuredContent as Body)).toEqual(said(other));
        seen.add(answered.status === 403 ? 'refused' : (other.status as string));
      }),
      { numRuns: 100 },
    );
    expect([...seen].toSorted()).toEqual(expect.arrayContaining(['denied', 'executed', 'pending_approval', 'refused', 'staged']));
    await put('agent/policies', { rules: [] });
    await put('settings', { contentOs: { vetoWindow: false } });
    await put('agent/tools/getItem', { enabled: true });
  });

  it.each(Object.keys(UNCLAIMED))('[MCP-013] passes the official conformance suite of %s for what it claims, and the list of what it does not is exact', async (revision) => {
    const port = await withKey(server.url, (await server.newKey({ capabilities: ['items:read'] })).key);
    try {
      const { code, passed, printed } = await conformance(port.url, revision, UNCLAIMED[revision]!);
      expect([code, code === 0 ? '' : printed]).toEqual([0, '']);
      expect(CLAIMED[revision]!.filter((name) => !passed.includes(name))).toEqual([]);
    } finally {
      await port.close();
    }
  });

  it('[MCP-014] is listed and called by the official inspector', async () => {
    const inspector = (...args: string[]) => inspected(server.url, agent.key, args);
    const listing = await inspector('--method', 'tools/list');
    expect([listing.code, (JSON.parse(listing.out).tools as Body[]).map(({ name }) => name)]).toEqual([0, await namesFor(agent)]);
    const calling = await inspector('--method', 'tools/call', '--tool-name', 'listItems', '--tool-arg', 'collection=products');
    expect([calling.code, JSON.parse(calling.out).structuredContent.status]).toEqual([0, 'executed']);
    const failing = await inspector('--method', 'tools/call', '--tool-name', 'getItem', '--tool-arg', 'collection=products', '--tool-arg', 'id=item_none');
    expect([failing.code, failing.out + failing.err]).toEqual([5, expect.stringContaining('Failed: ')]);
  });

  describe('is bridged by `harness mcp`', () => {
    it.each(['legacy', 'auto'] as const)('[MCP-015] to a desktop client of the era %s over stdio', async (era) => {
      await using desktop = await bridged(server.url, agent.key, era);
      const { client: over } = desktop;
      expect(over.getNegotiatedProtocolVersion()).toBe(era === 'legacy' ? '2025-11-25' : REVISION);
      expect((await over.listTools()).tools.map(({ name }) => name)).toEqual(await namesFor(agent));
      const answers = await Promise.all([1, 2, 3].map(() => over.callTool({ name: 'listItems', arguments: { collection: 'products' } })));
      expect(answers.map(({ structuredContent }) => (structuredContent as Body).status)).toEqual(['executed', 'executed', 'executed']);
      await expect(over.callTool({ name: 'deleteCollection', arguments: { name: 'products' } })).rejects.toThrow('CONTROL_PLANE_FORBIDDEN');
      const told: string[] = [];
      const waiting = await over.callTool({ name: 'docs.erase', arguments: { docs: `bridged ${era}` }, _meta: { 'agent-harness/wait-ms': 200 } }, { onprogress: ({ message }) => told.push(message!) });
      expect([(waiting.structuredContent as Body).status, told.length > 0]).toEqual(['pending_approval', true]);
    });

    it('and says in words why it cannot be', async () => {
      await expect(bridged(server.url, 'hk_nobody', 'legacy')).rejects.toThrow('UNAUTHENTICATED');
    });
  });
});
