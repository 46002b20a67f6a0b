import { afterAll, beforeAll } from '@jest/globals';
import { z } from 'zod';
import { skill } from '@app/skills';
import { testServer, type Api, type Body, type TestServer } from './server';

/** Words that the `note` skill was really run with, in order. */
const ran: string[] = [];
const failing = skill('breakThings', {
  description: 'Always fails.', input: z.strictObject({}), capability: 'items:update', risk: 'write', run: () => Promise.reject(new Error('The press is jammed')),
});
const slow = skill('waitForever', {
  description: 'Never answers.', input: z.strictObject({}), capability: 'items:update', risk: 'write', run: () => new Promise(() => undefined),
});
const noted = skill('note', {
  description: 'Notes a word.', input: z.strictObject({ word: z.string() }), capability: 'items:update', risk: 'write',
  run: ({ word }) => {
    ran.push(word);
    return Promise.resolve({ ok: true as const, data: { word }, position: 0n });
  },
});
const drawn = skill('draw', {
  description: 'Makes an artifact of a size.', input: z.strictObject({ bytes: z.int() }), capability: 'items:update', risk: 'write',
  run: ({ bytes }) => Promise.resolve({ ok: true as const, data: 'x'.repeat(bytes), position: 0n }),
});

const EVERYTHING = ['items:read', 'items:write', 'items:update', 'items:delete', 'schema:read', 'schema:create', 'schema:update'];

export type Job = {
  readonly runId: string;
  readonly goalId: string;
  /** Asks for a tool call on the run and gives the whole answer body. */
  call(tool: string, args?: unknown, callId?: string): Promise<Body>;
};

/**
 * A server with an agent, a reviewer and four more skills, started before the specs of a file and stopped after them. Then every decision of
 * the session is taken again from the log and must come out the same, unless the file tampers with its log.
 */
export const jobs = ({ replayed = true }: { readonly replayed?: boolean } = {}) => {
  let server: TestServer;
  let agent: Api & { readonly id: string };
  let reviewer: Api & { readonly id: string };
  beforeAll(async () => {
    server = await testServer({}, [failing, slow, noted, drawn]);
    agent = await server.newKey({ name: 'robot', capabilities: EVERYTHING });
    reviewer = await server.newKey({ name: 'Ada', kind: 'human', capabilities: ['approvals:decide', 'items:read'] });
    await server.admin('PUT', 'agent/tools/waitForever', { timeoutMs: 40 });
    await server.admin('PUT', 'agent/tools/draw', { artifact: true });
  });
  afterAll(async () => {
    const verdict = replayed ? (await server.admin('GET', 'agent/replay/verify')).text.split('\n\n').findLast((sent) => sent.includes('event: verdict')) : '"ok":true';
    await server.close();
    if (!verdict?.includes('"ok":true')) throw new Error(`The log of this session does not replay: ${verdict?.slice(0, 2_000)}`);
  });
  return {
    ran,
    server: () => server,
    agent: () => agent,
    reviewer: () => reviewer,
    open: async (more: Record<string, unknown> = {}): Promise<Job> => {
      const { runId, goalId } = (await agent('POST', 'agent/goals', { title: 'Tidy up', agentName: 'robot', ...more })).body.data as { runId: string; goalId: string };
      const call: Job['call'] = async (tool, args = {}, callId) =>
        (await agent('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: args, ...(callId !== undefined && { callId }) })).body;
      return { runId, goalId, call };
    },
    eventsOf: async (runId: string): Promise<Body[]> => (await server.log()).filter((event: Body) => event.stream_id === `run-${runId}`),
    newItem: async (call: Job['call'], title = 'A thing'): Promise<string> =>
      (await call('createItem', { collection: 'products', data: { sku: 'T-1', title } })).data.result.id as string,
  };
};
