import { afterAll, beforeAll } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { newId } from '@app/event-store';
import { testServer, type Api, type Body, type TestServer } from './server';

type Key = Api & { readonly id: string };

export const DESK_SCOPES = ['desk:read', 'desk:create', 'desk:write', 'desk:delete', 'desk:ask'];
/** What each tool of a desk needs, by name. */
export const DESK_TOOLS: Readonly<Record<string, string>> = {
  desk_create_file: 'desk:create', desk_delete_file: 'desk:delete', desk_list_files: 'desk:read', desk_propose_plan: 'desk:ask', desk_read_file: 'desk:read', desk_rename_file: 'desk:write', desk_search: 'desk:read',
  desk_update_cells: 'desk:write', desk_update_markdown: 'desk:write', resolve_ref: 'desk:read',
};
const FILE = newId('desk');
/** Arguments that satisfy each schema; no such file is anywhere. */
export const DESK_SAMPLES: Readonly<Record<string, Body>> = {
  desk_create_file: { name: 'x', type: 'markdown', content: 'x' }, desk_delete_file: { fileId: FILE }, desk_list_files: {}, desk_read_file: { fileId: FILE }, desk_rename_file: { fileId: FILE, name: 'y' },
  desk_propose_plan: { title: 'x', steps: [{ tool: 'desk_delete_file', arguments: { fileId: FILE } }] }, desk_search: { query: 'x' }, desk_update_cells: { fileId: FILE, deleteRows: [0] },
  desk_update_markdown: { fileId: FILE, content: 'x' }, resolve_ref: { ref: 'x' },
};
export const CELLS = { columns: [{ name: 'Item', type: 'text' }, { name: 'Count', type: 'number' }], rows: [['Pens', 3], ['Ink', null]] };

/**
 * A server with Ada, an agent that acts for her, Bea, and a reviewer, started before the specs of a file and stopped after them. Then every decision
 * of the session is taken again from the log and must come out the same.
 */
export const desks = () => {
  let server: TestServer;
  let ada: Key;
  let bea: Key;
  let robot: Key;
  let reviewer: Key;
  beforeAll(async () => {
    server = await testServer();
    ada = await server.newKey({ name: 'Ada', kind: 'human', userId: 'ada', capabilities: DESK_SCOPES });
    bea = await server.newKey({ name: 'Bea', kind: 'human', userId: 'bea', capabilities: DESK_SCOPES });
    robot = await server.newKey({ name: 'robot', userId: 'ada', capabilities: DESK_SCOPES, agentRole: 'Writer' });
    reviewer = await server.newKey({ name: 'Rea', kind: 'human', userId: 'rea', capabilities: ['approvals:decide', 'approvals:read'] });
    await server.admin('PUT', 'agent/roles/Writer', { capabilities: DESK_SCOPES });
  });
  afterAll(async () => {
    const verdict = (await server.admin('GET', 'agent/replay/verify')).text.split('\n\n').findLast((sent) => sent.includes('event: verdict'));
    await server.close();
    if (!verdict?.includes('"ok":true')) throw new Error(`The log of this session does not replay: ${verdict?.slice(0, 2_000)}`);
  });
  const eventsOf = async (id: string) => ((await server.log()) as Body[]).filter(({ stream_id }) => stream_id === `desk-${id}`);
  return {
    server: () => server,
    ada: () => ada,
    bea: () => bea,
    robot: () => robot,
    reviewer: () => reviewer,
    open: async (by: Key = robot, more: Record<string, unknown> = {}) => {
      const { runId } = (await by('POST', 'agent/goals', { title: 'Tidy up', agentName: 'robot', budget: { maxToolCalls: 100 }, ...more })).body.data;
      const call = async (tool: string, args: unknown = {}, callId?: string): Promise<Body> =>
        (await by('POST', `agent/runs/${runId as string}/tool-calls`, { tool, arguments: args, ...(callId !== undefined && { callId }) })).body.data;
      return { runId: runId as string, call };
    },
    approve: async ({ approvalId }: Body, more: object = {}): Promise<Body> => (await reviewer('POST', `agent/approvals/${approvalId as string}/decide`, { decision: 'approved', ...more })).body,
    make: async (content: unknown = 'One', more: object = {}, by: Key = ada): Promise<Body> =>
      (await by('POST', 'desk/files', { name: `${randomUUID()}.md`, type: typeof content === 'string' ? 'markdown' : 'cells', content, ...more })).body.data,
    read: async (id: string, by: Key = ada): Promise<Body> => (await by('GET', `desk/files/${id}`)).body.data,
    eventsOf,
    typesOf: async (id: string) => (await eventsOf(id)).map(({ type }) => type as string),
  };
};
