import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childrenOf, isAlive, referenceServer } from '../../libs/tool-mcp/src/testing';
import { everyText } from './every-text';
import { testServer, type Api, type Body, type TestServer } from './server';

/** The reference server cannot choose one itself. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** The reference server with an HTTP port of its own. */
const everythingOverHttp = async (): Promise<{ readonly url: string; readonly child: ChildProcess }> => {
  const { command, args } = referenceServer('everything', 'streamableHttp');
  const port = await freePort();
  const child = spawn(command, args, { env: { PATH: process.env['PATH'], PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] });
  await new Promise<void>((ready, fail) => {
    child.stderr!.on('data', (chunk: Buffer) => chunk.toString().includes('listening') && ready());
    child.once('exit', () => fail(new Error('The reference server ended')));
  });
  return { url: `http://127.0.0.1:${port}/mcp`, child };
};

describe('Tools of real MCP servers', () => {
  let server: TestServer;
  let agent: Api;
  let ada: Api & { readonly id: string };
  let folder: string;
  let http: Awaited<ReturnType<typeof everythingOverHttp>>;
  const imports = new Map<string, Body>();

  const importServer = async (name: string, transport: Body, more: Body = {}) => {
    const answer = await server.admin('POST', 'agent/tools/import/mcp', { server: name, transport, ...more });
    imports.set(name, answer.body);
    return answer;
  };
  const tool = async (name: string): Promise<Body> => (await server.admin('GET', `agent/tools/${name}`)).body.data;
  const open = async (caller = agent): Promise<string> => (await caller('POST', 'agent/goals', { title: 'Work', agentName: 'robot' })).body.data.runId as string;
  const call = async (runId: string, name: string, args: Body = {}, callId?: string): Promise<Body> =>
    (await agent('POST', `agent/runs/${runId}/tool-calls`, { tool: name, arguments: args, ...(callId !== undefined && { callId }) })).body.data;

  beforeAll(async () => {
    server = await testServer({ HARNESS_MCP_STDIO: 'on' });
    folder = await realpath(await mkdtemp(join(tmpdir(), 'harness-mcp-')));
    http = await everythingOverHttp();
    agent = await server.newKey({ name: 'robot', capabilities: ['mcp:everything', 'mcp:remote', 'mcp:files', 'mcp:memory'] });
    ada = await server.newKey({ name: 'Ada', kind: 'human', capabilities: ['approvals:decide'] });
    await server.admin('PUT', 'settings', { outbound: { allowHosts: [new URL(http.url).host] }, secrets: { upstream: 'opens-sesame-4711' } });
    await importServer('everything', { ...referenceServer('everything', 'stdio'), env: { UPSTREAM_TOKEN: 'secret://upstream' } });
    await importServer('remote', { type: 'http', url: http.url, headers: { authorization: 'Bearer secret://upstream' } });
    await importServer('files', referenceServer('filesystem', folder));
    await importServer('memory', { ...referenceServer('memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } });
  });
  afterAll(async () => {
    await server.close();
    http.child.kill();
    await rm(folder, { recursive: true, force: true });
  });

  it('[EXT-008] are imported, and the answer lists what was imported, changed and skipped', () => {
    const counts = { everything: 13, remote: 13, files: 14, memory: 9 };
    for (const [name, count] of Object.entries(counts)) {
      const { data, position } = imports.get(name)!;
      // The relations of the memory server are named nearly like ours: that is worth a look, and no reason to refuse them.
      const alike = name === 'memory' ? ['memory.create_relations', 'memory.delete_relations'] : [];
      expect([name, data.imported.length, data.changed, data.skipped, data.findings.map(({ tool }: Body) => tool as string)]).toEqual([name, count, [], [], alike]);
      expect(typeof position).toBe('string');
    }
    expect(imports.get('files')!.data.imported).toContain('files.write_file');
  });

  it('[EXT-007] [EXT-016] are called through the door, over stdio and over streamable HTTP', async () => {
    const runId = await open();
    for (const name of ['everything', 'remote']) {
      expect(await call(runId, `${name}.get-sum`, { a: 2, b: 40 })).toMatchObject({ status: 'executed', result: { content: [{ type: 'text', text: expect.stringContaining('42') }] } });
      expect(await call(runId, `${name}.get-structured-content`, { location: 'Chicago' })).toMatchObject({ status: 'executed', result: { structuredContent: { temperature: expect.any(Number) } } });
    }
    await writeFile(join(folder, 'note.txt'), 'as it was');
    expect(await call(runId, 'files.read_text_file', { path: join(folder, 'note.txt') })).toMatchObject({ status: 'executed', result: { structuredContent: { content: 'as it was' } } });
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['reviews'] }];
    expect(await call(runId, 'memory.create_entities', { entities })).toMatchObject({ status: 'executed', result: { structuredContent: { entities } } });
    expect(await call(runId, 'memory.search_nodes', { query: 'Ada' })).toMatchObject({ status: 'executed', result: { structuredContent: { entities } } });
    const events = (await server.log()).filter(({ stream_id }: Body) => stream_id === `run-${runId}`).map(({ type }: Body) => type as string);
    expect(events.filter((type: string) => type === 'ToolCallAuthorised')).toHaveLength(7);
    expect(events.filter((type: string) => type === 'ToolCallSucceeded')).toHaveLength(7);
  });

  it('are subject to the door like every other: registry, input, capability', async () => {
    const runId = await open();
    expect(await call(runId, 'everything.get-sum', { a: 'two', b: 3 })).toMatchObject({ status: 'denied', reason: 'invalid_arguments' });
    expect(await call(runId, 'everything.nothing')).toMatchObject({ status: 'denied', reason: 'tool_not_registered' });
    const stranger = await server.newKey({ name: 'stranger', capabilities: ['items:read'] });
    const { body } = await stranger('POST', `agent/runs/${await open(stranger)}/tool-calls`, { tool: 'everything.get-sum', arguments: { a: 1, b: 2 } });
    expect(body.data).toMatchObject({ status: 'denied', reason: 'capability_missing' });
  });

  it('[EXT-009] have a risk from their annotations until an admin says otherwise', async () => {
    expect(await tool('files.read_file')).toMatchObject({ risk: 'read', dangerous: false });
    expect(await tool('files.move_file')).toMatchObject({ risk: 'destructive', dangerous: true, idempotent: false });
    expect(await tool('files.create_directory')).toMatchObject({ risk: 'write', dangerous: false, idempotent: true });
    await server.admin('PUT', 'agent/tools/files.create_directory', { risk: 'destructive', dangerous: true });
    await importServer('files', referenceServer('filesystem', folder));
    expect(imports.get('files')!.data).toMatchObject({ imported: [], changed: [] });
    expect(await tool('files.create_directory')).toMatchObject({ risk: 'destructive', dangerous: true, default: { risk: 'write', dangerous: false } });
    expect(await call(await open(), 'files.create_directory', { path: join(folder, 'sub') })).toMatchObject({ status: 'pending_approval' });
  });

  it('[EXT-017] a file write waits for approval, happens once, and its record names who allowed it', async () => {
    const runId = await open();
    const path = join(folder, 'written.txt');
    const asked = await call(runId, 'files.write_file', { path, content: 'by the agent' }, 'write-1');
    expect(asked).toMatchObject({ status: 'pending_approval', approvalId: expect.any(String) });
    await expect(readFile(path, 'utf8')).rejects.toThrow('ENOENT');
    const decided = await ada('POST', `agent/approvals/${asked.approvalId as string}/decide`, { decision: 'approved', reason: 'Looks right' });
    expect(decided.body.data).toMatchObject({ status: 'approved', call: { status: 'executed' } });
    expect(await readFile(path, 'utf8')).toBe('by the agent');
    // Whoever writes again would undo this.
    await writeFile(path, 'changed by a person');
    expect(await call(runId, 'files.write_file', { path, content: 'by the agent' }, 'write-1')).toMatchObject({ status: 'executed' });
    expect((await ada('POST', `agent/approvals/${asked.approvalId as string}/decide`, { decision: 'approved' })).body.code).toBe('ALREADY_DECIDED');
    expect(await readFile(path, 'utf8')).toBe('changed by a person');
    const record = (await server.log()).filter(({ stream_id }: Body) => [`run-${runId}`, `approval-${asked.approvalId as string}`].includes(stream_id as string));
    expect(record.filter(({ type }: Body) => type === 'ToolCallSucceeded')).toHaveLength(1);
    expect(record.find(({ type }: Body) => type === 'ApprovalApproved')!.metadata.actor).toMatchObject({ kind: 'human', id: ada.id });
    const shown = (await server.admin('GET', `agent/approvals/${asked.approvalId as string}?minPosition=${await server.head()}`)).text;
    expect(shown).toContain(ada.id);
  });

  it('[EXT-015] get upstream credentials by name, and the agent never receives one', async () => {
    const runId = await open();
    const said = await call(runId, 'everything.get-env');
    expect(JSON.stringify(said)).toContain('UPSTREAM_TOKEN');
    const told = [JSON.stringify(said)];
    for (const path of [`agent/runs/${runId}`, `agent/runs/${runId}/events`, 'agent/tools?limit=200', 'agent/tools/everything.get-env']) told.push((await agent('GET', path)).text);
    for (const path of ['audit/events?limit=200', 'settings', `agent/runs/${runId}/events`]) told.push((await server.admin('GET', path)).text);
    told.push(...[...imports.values()].map((body) => JSON.stringify(body)), await everyText(server.pool));
    expect(told.join('\n')).not.toMatch(/opens-sesame|b3BlbnMtc2VzYW1l/);
    const recorded = (await server.log()).filter(({ type }: Body) => type === 'McpServerImported').map(({ data }: Body) => data);
    expect(recorded.find(({ server: name }: Body) => name === 'everything').transport.env).toEqual({ UPSTREAM_TOKEN: 'secret://upstream' });
    const refused = await importServer('plain', { type: 'http', url: http.url, headers: { authorization: 'Bearer abcdef0123456789abcdef' } });
    expect([refused.status, refused.body.code, refused.body.facts.errors[0].pointer]).toEqual([422, 'VALIDATION_FAILED', '/transport/headers/authorization']);
  });

  it('are refused where the site may not reach, and where nobody answers', async () => {
    const inside = await importServer('inside', { type: 'http', url: 'http://127.0.0.1:1/mcp' });
    expect([inside.status, inside.body.code, inside.body.facts]).toEqual([422, 'VALIDATION_FAILED', { upstream: 'ADDRESS_REFUSED' }]);
    const failing = await importServer('failing', { type: 'stdio', command: process.execPath, args: ['-e', 'console.error("no licence"); process.exit(3)'] });
    expect([failing.status, failing.body.code, failing.body.detail]).toEqual([503, 'UNAVAILABLE', expect.stringContaining('no licence')]);
  });

  it('need a platform admin to start a program', async () => {
    const { adminKey } = (await server.admin('POST', 'sites', { name: 'Elsewhere' })).body.data;
    const other = server.as(adminKey as string);
    const refused = await other('POST', 'agent/tools/import/mcp', { server: 'memory', transport: referenceServer('memory') });
    expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
    expect((await other('GET', 'agent/tools?limit=200')).text).not.toContain('memory.');
    const mere = await agent('POST', 'agent/tools/import/mcp', { server: 'memory', transport: referenceServer('memory') });
    expect(mere.status).toBe(403);
  });

  it('[EXT-011] over stdio are refused unless the caller is platform admin and HARNESS_MCP_STDIO is on', async () => {
    const off = await testServer();
    try {
      const refused = await off.admin('POST', 'agent/tools/import/mcp', { server: 'memory', transport: referenceServer('memory') });
      expect([refused.status, refused.body.code, refused.body.detail]).toEqual([403, 'FORBIDDEN', expect.stringContaining('HARNESS_MCP_STDIO')]);
      const { adminKey } = (await server.admin('POST', 'sites', { name: 'Third' })).body.data;
      const other = await server.as(adminKey as string)('POST', 'agent/tools/import/mcp', { server: 'memory', transport: referenceServer('memory') });
      expect([other.status, other.body.detail]).toEqual([403, expect.stringContaining('platform admin')]);
    } finally {
      await off.close();
    }
  });

  it('leave no program behind when the server stops', async () => {
    const own = await testServer({ HARNESS_MCP_STDIO: 'on' });
    const before = new Set(childrenOf(process.pid));
    await own.admin('POST', 'agent/tools/import/mcp', { server: 'memory', transport: referenceServer('memory') });
    const robot = await own.newKey({ name: 'robot', capabilities: ['mcp:memory'] });
    const { runId } = (await robot('POST', 'agent/goals', { title: 'Remember', agentName: 'robot' })).body.data;
    expect((await robot('POST', `agent/runs/${runId as string}/tool-calls`, { tool: 'memory.read_graph', arguments: {} })).body.data.status).toBe('executed');
    const programs = childrenOf(process.pid).filter((pid) => !before.has(pid));
    expect(programs).toHaveLength(1);
    await own.close();
    expect(programs.filter(isAlive)).toEqual([]);
  });
});
