import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jobs, type Job } from './jobs';
import type { Api, Body } from './server';

type Expected = { readonly authorType: 'agent' | 'human'; readonly authorId: string; readonly createdByRunId: string | null };

describe('Who wrote a revision', () => {
  const { server, agent, reviewer, open } = jobs();
  let editor: Api & { readonly id: string };
  let plain: Job;
  let asking: Job;
  let staging: Job;
  beforeAll(async () => {
    editor = await server().newKey({ name: 'Eve', kind: 'human', capabilities: ['items:read', 'items:write', 'items:update', 'items:delete', 'approvals:decide'] });
    await server().admin('PUT', 'settings', { contentOs: { vetoWindow: true } });
    const budget = { maxToolCalls: 100_000, timeoutMs: 3_600_000 };
    [plain, asking, staging] = [await open({ budget }), await open({ budget, approvalPolicy: 'before_execute' }), await open({ budget, approvalPolicy: 'before_commit' })];
  });

  let n = 0;
  const data = () => ({ sku: `A-${n}`, title: `Title ${n++}` });
  const patch = (id: string) => ({ collection: 'products', id, data: { title: `Title ${n++}` } });
  const byAgent = (runId: string): Expected => ({ authorType: 'agent', authorId: agent().id, createdByRunId: runId });
  const byPerson = (): Expected => ({ authorType: 'human', authorId: editor.id, createdByRunId: null });
  const decide = (id: string, more: Body = {}) => editor('POST', `agent/approvals/${id}/decide`, { decision: 'approved', ...more });
  const done = (status: number) => expect(status).toBeLessThan(300);

  const CREATE: Record<string, () => Promise<[string, Expected]>> = {
    agent: async () => [(await plain.call('createItem', { collection: 'products', data: data() })).data.result.id as string, byAgent(plain.runId)],
    task: async () => {
      const task = { skillName: 'createItem', arguments: { collection: 'products', data: data() } };
      const goal = (await agent()('POST', 'agent/goals', { title: 'Make one', agentName: 'robot', task })).body.data;
      return [goal.result.result.id as string, byAgent(goal.runId as string)];
    },
    person: async () => [(await editor('POST', 'items/products', { data: data() })).body.data.id as string, byPerson()],
  };
  /** What each change leaves behind; an attempt that is refused leaves nothing. */
  const CHANGE: Record<string, (id: string) => Promise<readonly Expected[]>> = {
    agent: async (id) => {
      expect((await plain.call('updateItem', patch(id))).data.status).toBe('executed');
      return [byAgent(plain.runId)];
    },
    'agent, approved by a person': async (id) => {
      done((await decide((await asking.call('updateItem', patch(id))).data.approvalId as string)).status);
      return [byAgent(asking.runId)];
    },
    'agent, with the arguments of a person': async (id) => {
      done((await decide((await asking.call('updateItem', patch(id))).data.approvalId as string, { arguments: patch(id) })).status);
      return [byAgent(asking.runId)];
    },
    'agent, committed by a person': async (id) => {
      const { stagingId } = (await staging.call('updateItem', patch(id))).data;
      done((await editor('POST', `agent/staged/${stagingId}/commit-now`)).status);
      return [byAgent(staging.runId), byAgent(staging.runId)];
    },
    person: async (id) => {
      done((await editor('PATCH', `items/products/${id}`, { data: { title: `Title ${n++}` } })).status);
      return [byPerson()];
    },
    'agent, beside the door': async (id) => {
      expect((await agent()('PATCH', `items/products/${id}`, { data: { title: 'Sneaked' } })).status).toBe(403);
      return [];
    },
    'agent, rejected': async (id) => {
      done((await reviewer()('POST', `agent/approvals/${(await asking.call('updateItem', patch(id))).data.approvalId as string}/decide`, { decision: 'rejected', reason: 'No' })).status);
      return [];
    },
  };

  it('[CONTENT-008] O13: is told by every revision: an agent with its valid run, or a person', async () => {
    const runs = new Set<string>();
    const people = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(CREATE)), fc.array(fc.constantFrom(...Object.keys(CHANGE)), { maxLength: 5 }), async (creator, changes) => {
        const [id, first] = await CREATE[creator]!();
        const expected = [first];
        for (const change of changes) expected.push(...(await CHANGE[change]!(id)));
        const at = { 'x-min-position': String(await server().head()) };
        const revisions = (await editor('GET', `items/products/${id}/revisions?limit=100`, undefined, at)).body.data as Body[];
        expect(revisions.map(({ authorType, authorId, createdByRunId }) => ({ authorType, authorId, createdByRunId })).toReversed()).toEqual(expected);
        for (const { authorType, authorId, createdByRunId } of revisions) (authorType === 'agent' ? runs.add(createdByRunId as string) : people.add(authorId as string));
      }),
      { numRuns: 120, seed: 20_261_130 },
    );
    expect(runs.size).toBeGreaterThan(10);
    for (const runId of runs) expect((await agent()('GET', `agent/runs/${runId}`)).body.data).toMatchObject({ runId, envelope: { principalId: agent().id, context: { siteId: 'site_demo' } } });
    expect([...people]).toEqual([editor.id]);
  });
});
