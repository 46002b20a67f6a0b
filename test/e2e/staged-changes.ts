import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { eventually } from './eventually';
import { testServer, type Api, type Body, type TestServer } from './server';

export const FOUR_HOURS = 4 * 3_600_000;

/** A server whose site has a veto window, with an agent whose role stages its changes, and Ada, who looks at them. */
export const stagedChanges = (environment: Record<string, string> = {}) => {
  let server: TestServer;
  let agent: Api & { readonly id: string };
  let ada: Api & { readonly id: string };
  const put = (path: string, body: unknown) => server.admin('PUT', path, body);

  beforeAll(async () => {
    server = await testServer(environment);
    agent = await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:write', 'items:update'] });
    ada = await server.newKey({ name: 'Ada', kind: 'human', capabilities: ['items:read', 'items:update', 'approvals:decide'] });
    await put('settings', { contentOs: { vetoWindow: true } });
    // updateItem is safe by itself; asked for, it is staged at level 3.
    await put('agent/policies', { rules: [{ name: 'look at changes', when: { tool: 'updateItem' }, then: { do: 'ask' }, mode: 'enforce' }] });
  });
  afterAll(() => server.close());
  beforeEach(() => put('agent/autonomy/grants', { agentRole: 'Writer', capability: 'items:update', level: 3 }));
  // Only after the first test, which finds the window that a site begins with.
  afterEach(() => put('settings', { vetoWindowMs: FOUR_HOURS }));

  const streamOf = async (id: string): Promise<Body[]> => (await server.log()).filter((event: Body) => (event.stream_id as string).endsWith(id));
  const typesOf = async (id: string) => (await streamOf(id)).map((event) => event.type as string);
  return {
    server: () => server,
    agent: () => agent,
    ada: () => ada,
    put, streamOf, typesOf,
    itemNow: async (id: string) => (await ada('GET', `items/products/${id}`)).body.data as Body,
    /** How a staging ended. */
    settled: (stagingId: string) => eventually(async () => (await typesOf(stagingId)).at(-1)!, (type) => type !== 'ChangeStaged'),
    open: async (more: Record<string, unknown> = {}) => {
      const { runId, goalId } = (await agent('POST', 'agent/goals', { title: 'Tidy up', agentName: 'robot', agentRole: 'Writer', ...more })).body.data as { runId: string; goalId: string };
      const call = async (tool: string, args: unknown, callId?: string): Promise<Body> =>
        (await agent('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: args, ...(callId !== undefined && { callId }) })).body;
      const newItem = async (data: Record<string, unknown> = { title: 'Before', price: 5 }): Promise<string> =>
        (await call('createItem', { collection: 'products', data: { sku: 'T-1', ...data } })).data.result.id as string;
      return { runId, goalId, newItem, change: (id: string, data: unknown, callId?: string) => call('updateItem', { collection: 'products', id, data }, callId) };
    },
  };
};
