import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compiled } from './compiled';
import { testServer, type Body, type TestServer } from './server';

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
const [, section] = /^## External agents\n(.*?)^## /ms.exec(readme)!;
const [, snippet] = /^```ts\n(.*?)^```$/ms.exec(section!)!;
const [agentPart, workerPart] = snippet!.split(/^(?=\/\/ a worker)/m);

/** What the reader has around the snippet. */
const SURROUNDINGS = `
  const shell = (command) => command + ' done';
  const stop = new AbortController();
  const { signal } = stop;
  const render = ({ page }) => { stop.abort(); return '<h1>' + page; };
`;

describe('The part of the README about external agents', () => {
  let server: TestServer;
  let dist: string;
  beforeAll(async () => {
    [server, dist] = [await testServer(), await compiled()];
    const tool = { description: 'Outside', inputSchema: { type: 'object' }, requiredCapabilities: ['items:update'], risk: 'write', irreversible: false };
    await server.admin('PUT', 'agent/tools/shell', { ...tool, kind: 'client' });
    await server.admin('PUT', 'agent/tools/render', { ...tool, kind: 'worker' });
  });
  afterAll(() => server.close());

  /** A program of its own, with the text exactly as it is printed. */
  const run = async (part: string, keys: Body): Promise<string> => {
    const settings = Object.entries({ url: server.url, ...keys }).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`).join('\n');
    const program = `import { Harness } from ${JSON.stringify(join(dist, 'libs/sdk/src/index.js'))};\n${settings}\n${SURROUNDINGS}\n${part}`;
    return (await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { env: { PATH: process.env['PATH'] } })).stdout;
  };

  it('is short, and its agent and its worker work as printed', async () => {
    expect(section!.split('\n').length).toBeLessThanOrEqual(25);
    const agent = await server.newKey({ name: 'robot', capabilities: ['items:update'] });
    expect(await run(agentPart!, { agentKey: agent.key })).toBe('executed ls done\n');
    const events = (await server.log()).filter(({ stream_id: stream }: Body) => (stream as string).startsWith('run-')).map(({ type }: Body) => type as string);
    expect(events).toEqual(expect.arrayContaining(['ToolCallAuthorised', 'ToolCallSucceeded', 'RunSucceeded']));
    const worker = await server.newKey({ name: 'renderer', kind: 'service', capabilities: ['worker:take', 'items:update'] });
    const working = run(workerPart!, { workerKey: worker.key });
    const { runId } = (await agent('POST', 'agent/goals', { title: 'Publish', agentName: 'robot' })).body.data;
    const { data } = (await agent('POST', `agent/runs/${runId as string}/tool-calls`, { tool: 'render', arguments: { page: 'home' } })).body;
    expect(data).toMatchObject({ status: 'executed', result: '<h1>home' });
    await working;
  });
});
