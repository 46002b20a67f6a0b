import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serverDatabase, type TestDatabase } from '../database';
import { eventually } from './eventually';
import { Processes, urlOf } from './processes';
import { ADMIN_KEY, apiAt, type Body } from './server';

const SECRET = 'words-of-nobody-but-the-agent';

/** The lines of the log; what is printed for a person at the start is none. */
const linesOf = (output: string): Body[] => output.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Body);

describe('The log lines of a server', () => {
  const processes = new Processes();
  let database: TestDatabase;
  let environment: Record<string, string>;

  beforeAll(async () => {
    database = await serverDatabase();
    environment = { DATABASE_URL: urlOf(database), HARNESS_BOOTSTRAP_KEY: ADMIN_KEY, HARNESS_MASTER_KEY: 'ab'.repeat(32) };
  });
  afterAll(async () => {
    await processes.cleanUp();
    await database.drop();
  });

  it('[OBS-033] are JSON with the ids of request and run, and hold nothing of what was sent, asked or answered', async () => {
    const server = await processes.start(environment);
    const admin = apiAt(server.url)(ADMIN_KEY);
    const { key } = (await admin('POST', 'api-keys', { name: SECRET, kind: 'agent', capabilities: ['items:read', 'items:write'] })).body.data as { key: string };
    const agent = apiAt(server.url)(key);
    const { runId } = (await agent('POST', 'agent/goals', { title: SECRET, agentName: 'robot' })).body.data as { runId: string };
    const called = await agent('POST', `agent/runs/${runId}/tool-calls`, { tool: 'createItem', arguments: { collection: 'products', data: { sku: 'L', title: SECRET } } }, { 'x-correlation-id': 'order-17' });
    expect(called.body.data.status).toBe('executed');
    await agent('POST', `agent/runs/${runId}/tool-calls`, { tool: SECRET, arguments: { [SECRET]: SECRET } });
    await agent('POST', `agent/runs/${runId}/tool-calls`, `{"broken": "${SECRET}`);
    const listed = await agent('GET', `items/products?filter[title]=${SECRET}`);
    await fetch(`${server.url}/api/v1/items/products/${SECRET}`, { headers: { authorization: `Bearer hk_${SECRET}` } });
    const id = listed.headers.get('x-request-id')!;
    const lines = await eventually(() => Promise.resolve(linesOf(server.output())), (now) => now.some(({ requestId }) => requestId === id));

    const line = lines.find(({ requestId }) => requestId === called.headers.get('x-request-id'));
    expect(line).toMatchObject({
      level: 'info', msg: 'request', correlationId: 'order-17', runId, siteId: 'site_demo', method: 'POST', route: '/api/v1/agent/runs/:runId/tool-calls', status: 200, pid: server.pid,
    });
    expect(line.ms).toBeGreaterThan(0);
    expect(new Date(line.time as string).toISOString()).toBe(line.time);
    expect(lines.filter((each) => each.runId === runId).map(({ status }) => status as number)).toEqual([201, 200, 200, 400]);
    await server.stop();
    expect(linesOf(server.output()).at(-1)).toMatchObject({ level: 'info', context: 'Server', msg: 'SIGTERM: stopping' });
    for (const each of server.output().split('\n').filter((text) => text !== '' && !text.startsWith('{'))) expect(each).toMatch(/^(Agent Harness is ready|  Studio|  Reference|Admin key)/);
    expect(server.output()).not.toContain(SECRET);
    expect(server.output()).not.toContain(key);
  });

  it('[OBS-034] come down to the level of LOG_LEVEL', async () => {
    const levelsAt = async (LOG_LEVEL: string) => {
      const server = await processes.start({ ...environment, LOG_LEVEL });
      await fetch(`${server.url}/health/live`);
      await fetch(`${server.url}/api/v1/items/products`);
      await server.stop();
      const lines = linesOf(server.output());
      return { levels: new Set(lines.map(({ level }) => level as string)), routes: lines.map(({ route }) => route as string | undefined) };
    };
    const quiet = await levelsAt('warn');
    expect(quiet.routes).not.toContain('/api/v1/items/:collection');
    expect([...quiet.levels].filter((level) => ['info', 'debug', 'trace'].includes(level))).toEqual([]);
    const usual = await levelsAt('log');
    expect(usual.routes).toContain('/api/v1/items/:collection');
    expect(usual.routes).not.toContain('/health/live');
    const chatty = await levelsAt('debug');
    expect(chatty.routes).toEqual(expect.arrayContaining(['/api/v1/items/:collection', '/health/live']));
  });
});
