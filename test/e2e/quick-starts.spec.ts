import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { execFile } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { testNats, type TestNats } from '../nats';
import { builtCheckout } from './command-line';
import { asShown, documentOf } from './documents';
import { Processes } from './processes';
import { ReaderShell, type Pasted } from './reader-shell';
import { testServer, type Body, type TestServer } from './server';

const readme = documentOf('README.md');
const quickStart = documentOf('docs/quick-start.md');

/** What the reader has around the README's part on agents elsewhere. */
const SURROUNDINGS = `
  const shell = (command) => command + ' done';
  const stop = new AbortController();
  const { signal } = stop;
  const render = ({ page }) => { stop.abort(); return '<h1>' + page; };
`;

describe('[API-036] The quick starts', () => {
  const processes = new Processes();
  let nats: TestNats;
  let server: TestServer;
  let folder: string;
  let reader: ReaderShell;
  let person: ReaderShell;
  const pasted = new Set<string>();

  beforeAll(async () => {
    nats = await testNats();
    server = await testServer({ NATS_URL: nats.url });
    folder = await builtCheckout(processes.directory());
    // It keeps npm from telling of its newer versions.
    await copyFile(resolve(import.meta.dirname, '../../.npmrc'), join(folder, '.npmrc'));
    for (const { language, name, text } of quickStart.blocks) if (language === 'js') await writeFile(join(folder, name!), text);
    [reader, person] = [new ReaderShell(folder), new ReaderShell(folder)];
    for (const terminal of [reader, person]) expect(await paste('settings', terminal).ended()).toBe('');
  });
  afterAll(async () => {
    reader.close();
    person.close();
    await server.close();
    await nats.stop();
    await processes.cleanUp();
  });

  /** What a reader replaces: the address, the key, the path. */
  const filledIn = (text: string) =>
    text.replace('http://127.0.0.1:4600', server.url).replace('nats://127.0.0.1:4222', nats.url).replace(/hk_the_admin_key_\w+/, server.admin.key).replaceAll('/path/of/this/folder', folder);
  const paste = (name: string, terminal = reader, { block } = quickStart): Pasted => {
    pasted.add(name);
    return terminal.paste(filledIn(block(name).text));
  };
  const works = async (name: string, running = paste(name), shown = quickStart.printedBy(name)) => {
    expect(`${(await running.ended()).trimEnd()}\n`).toMatch(asShown(shown));
  };
  const approve = (outcome = 'executed') => works('the person', paste('the person', person), quickStart.printedBy('the person').replace('executed', outcome));
  /** Of a program that waits until its call is approved. */
  const worksOnceApproved = async (name: string, meanwhile = () => Promise.resolve()) => {
    const running = paste(name);
    await running.untilPrinted('appr_');
    await meanwhile();
    await approve();
    await works(name, running);
  };

  it('[SETUP-021] for REST is in the README, beside the two commands and a diagram', async () => {
    const [commands, diagram] = readme.blocks;
    expect(commands!.text.match(/^npm ci && npm \w+/gm)).toEqual(['npm ci && npm start', 'npm ci && npm test']);
    expect(diagram!.text.match(/[│▼▲─┐└]/g)!.length).toBeGreaterThan(20);
    await works('first job', paste('first job', reader, readme));
  });

  it('for the SDK makes an agent wait for a person at the command line', () => worksOnceApproved('the agent', () => works('what waits', paste('what waits', person))));

  it('for MCP connects a desktop client, and a program that waits', async () => {
    await works('the site');
    const [config] = quickStart.blocks.filter(({ language, text }) => language === 'json' && text.includes('mcpServers'));
    const { command, args, env } = (JSON.parse(filledIn(config!.text)) as Body).mcpServers.harness;
    const key = await reader.paste('echo $DESKTOP_KEY').ended();
    const desktop = new Client({ name: 'desktop', version: '1' });
    await desktop.connect(new StdioClientTransport({ command, args, env: { ...env, HARNESS_KEY: key.trim() }, stderr: 'ignore' }));
    expect((await desktop.listTools()).tools.map(({ name }) => name)).toContain('updateItem');
    await desktop.close();
    await worksOnceApproved('the assistant');
  });

  it('for GraphQL asks, commands, and tells a subscriber of what waits', async () => {
    const window = paste('the window', person);
    await window.untilPrinted('Listening');
    await works('a job by GraphQL');
    await works('the window', window);
  });

  it('for NATS carries commands, the call of a worker and the log', () => works('the post'));

  it('for a coding assistant decides its uses of tools', async () => {
    await works('the tools of the assistant');
    const [config] = quickStart.blocks.filter(({ language, text }) => language === 'json' && text.includes('PreToolUse'));
    const hook = (JSON.parse(filledIn(config!.text)) as Body).hooks.PreToolUse[0].hooks[0].command as string;
    const use = JSON.stringify({ session_id: 'two', hook_event_name: 'PreToolUse', tool_name: 'Read', tool_input: {} });
    expect(await reader.paste(`echo '${use}' | HARNESS_KEY=$ASSISTANT_KEY ${hook}`).ended()).toContain('"allow"');
    await works('the hook');
    await approve('indeterminate');
    await works('the hook again');
  });

  it('in the README, of agents and workers elsewhere, is short and works as printed', async () => {
    const tool = { description: 'Outside', inputSchema: { type: 'object' }, requiredCapabilities: ['items:update'], risk: 'write', irreversible: false };
    await server.admin('PUT', 'agent/tools/shell', { ...tool, kind: 'client' });
    await server.admin('PUT', 'agent/tools/render', { ...tool, kind: 'worker' });
    const snippet = readme.blocks.find(({ language }) => language === 'ts')!.text;
    expect(snippet.split('\n').length).toBeLessThanOrEqual(15);
    const [agentPart, workerPart] = snippet.split(/^(?=\/\/ a worker)/m);
    const run = async (part: string, keys: Body) => {
      const program = [`import { Harness } from './dist/libs/sdk/src/index.js'`, ...Object.entries({ url: server.url, ...keys }).map(([name, value]) => `const ${name} = ${JSON.stringify(value)}`), SURROUNDINGS, part].join(';\n');
      return (await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder, env: { PATH: process.env['PATH'] } })).stdout;
    };

    const agent = await server.newKey({ name: 'robot', capabilities: ['items:update'] });
    expect(await run(agentPart!, { agentKey: agent.key })).toBe('executed ls done\n');
    const worker = await server.newKey({ name: 'renderer', kind: 'service', capabilities: ['worker:take', 'items:update'] });
    const working = run(workerPart!, { workerKey: worker.key });
    const { runId } = (await agent('POST', 'agent/goals', { title: 'Publish', agentName: 'robot' })).body.data;
    const { data } = (await agent('POST', `agent/runs/${runId as string}/tool-calls`, { tool: 'render', arguments: { page: 'home' } })).body;
    expect(data).toMatchObject({ status: 'executed', result: '<h1>home' });
    await working;
  });

  it('are all run', () => {
    expect([...pasted].filter((name) => name !== 'first job')).toEqual(quickStart.blocks.filter(({ language }) => language === 'bash').map(({ name }) => name));
  });
});
