import { describe, expect, it } from '@jest/globals';
import { jobs } from './o-jobs';
import { type Api, type Body } from './server';

describe('An approval is bound to one action', () => {
  const { ran, server, agent, reviewer, open, newItem } = jobs();
  const admin: Api = Object.assign((...args: Parameters<Api>) => server().admin(...args), { key: '' });
  const decide = (id: string, body: Record<string, unknown> = { decision: 'approved' }) => reviewer()('POST', `agent/approvals/${id}/decide`, body);
  const asking = (more: Record<string, unknown> = {}) => open({ approvalPolicy: 'before_execute', ...more });

  it('[APPR-014] runs nothing when the tool\'s definition or the arguments it would get have changed', async () => {
    const { call } = await asking();
    const id = await newItem((await open()).call);
    const first = (await call('updateItem', { collection: 'products', id, data: { title: 'One' } })).data;
    await admin('PUT', 'agent/tools/updateItem', { description: 'Updates one item, slowly.' });
    expect((await decide(first.approvalId)).body).toMatchObject({ code: 'ACTION_CHANGED', facts: { requested: first.actionDigest, current: expect.stringMatching(/^[0-9a-f]{64}$/) } });
    const second = (await call('note', { word: 'defaults' })).data;
    const { inputSchema } = ((await admin('GET', 'agent/tools?limit=200')).body.data as Body[]).find(({ name }) => name === 'note')!;
    await admin('PUT', 'agent/tools/note', { inputSchema: { ...inputSchema, properties: { ...inputSchema.properties, loud: { type: 'boolean', default: true } } } });
    expect((await decide(second.approvalId)).body.code).toBe('ACTION_CHANGED');
    await admin('PUT', 'agent/tools/note', { inputSchema });
    expect((await agent()('GET', `items/products/${id}`)).body.data.data.title).toBe('A thing');
    expect(ran.includes('defaults')).toBe(false);
  });

  const changes: Readonly<Record<string, { readonly rule: string; change(robot: Api & { id: string }, itemId: string): Promise<unknown>; undo?(): Promise<unknown> }>> = {
    'the role': {
      rule: 'capability', change: () => admin('PUT', 'agent/roles/Translator', { capabilities: ['items:read'] }),
      undo: () => admin('PUT', 'agent/roles/Translator', { capabilities: ['items:read', 'items:update', 'memory:read'] }),
    },
    'a capability of the key': { rule: 'capability', change: (robot) => admin('PUT', `api-keys/${robot.id}`, { capabilities: ['items:read'] }) },
    'a freeze': {
      rule: 'kill_switch', change: () => admin('POST', 'agent/kill-switch', { scope: 'role', targetId: 'Translator' }),
      undo: () => admin('POST', 'agent/kill-switch/lift', { scope: 'role', targetId: 'Translator' }),
    },
    'a pin': { rule: 'pins', change: (_robot, itemId) => admin('POST', `items/products/${itemId}/pins`, { fields: ['title'] }) },
    'a policy': {
      rule: 'no updates', change: () => admin('PUT', 'agent/policies', { rules: [{ name: 'no updates', when: { tool: 'updateItem' }, then: { do: 'deny' } }] }),
      undo: () => admin('PUT', 'agent/policies', { rules: [] }),
    },
  };
  it.each(Object.keys(changes))('[APPR-015] asks the whole door again at dispatch, and %s that refuses by then denies', async (name) => {
    const { rule, change, undo } = changes[name]!;
    const robot = await server().newKey({ capabilities: ['items:update', 'items:read'], agentRole: 'Translator' });
    const itemId = await newItem((await open()).call, 'Before');
    const { runId } = (await robot('POST', 'agent/goals', { title: name, agentName: 'robot', approvalPolicy: 'before_execute' })).body.data;
    const asked = (await robot('POST', `agent/runs/${runId}/tool-calls`, { tool: 'updateItem', arguments: { collection: 'products', id: itemId, data: { title: 'After' } } })).body.data;
    expect(asked.status).toBe('pending_approval');
    expect((await change(robot, itemId))).toMatchObject({ status: expect.any(Number) });
    const decided = await decide(asked.approvalId as string);
    await undo?.();
    expect([decided.status, decided.body.data?.call]).toMatchObject([200, { status: 'denied', rule }]);
    expect((await admin('GET', `items/products/${itemId}`)).body.data.data.title).toBe('Before');
  });

  it('[APPR-015] asks for the budget again', async () => {
    await admin('PUT', 'agent/tools/note', { costUsd: 0.6 });
    const { call, runId } = await asking({ budget: { maxCostUsd: 1 } });
    const [one, two] = [(await call('note', { word: 'cost-1' })).data, (await call('note', { word: 'cost-2' })).data];
    expect((await decide(one.approvalId)).body.data.call.status).toBe('executed');
    expect((await decide(two.approvalId)).body.data.call).toMatchObject({ status: 'denied', reason: 'budget_cost', rule: 'budget' });
    expect((await agent()('GET', `agent/runs/${runId}`)).body.data).toMatchObject({ status: 'failed', stopReason: 'budget_cost' });
    await admin('PUT', 'agent/tools/note', { costUsd: 0 });
    expect(ran.includes('cost-2')).toBe(false);
  });

  it('[APPR-016] is consumed by the append that starts the call, and starts no second one', async () => {
    const { call, runId } = await asking();
    const { approvalId, callId } = (await call('note', { word: 'consumed' }, 'c')).data;
    await decide(approvalId);
    const rows = (await server().pool.query<Body>(
      `SELECT type, metadata::jsonb->>'commandId' AS command FROM es_event WHERE stream_id = ANY($1) ORDER BY position`, [[`run-${runId}`, `approval-${approvalId}`]],
    )).rows;
    const [authorised, ...others] = rows.filter(({ type }) => type === 'ToolCallAuthorised');
    expect(others).toEqual([]);
    expect(rows.filter(({ command }) => command === authorised!.command).map(({ type }) => type as string)).toEqual(['RunResumed', 'ToolCallAuthorised', 'ApprovalApproved']);
    expect((await decide(approvalId)).body.code).toBe('ALREADY_DECIDED');
    expect((await call('note', { word: 'consumed' }, 'c')).data).toMatchObject({ callId, status: 'executed' });
    expect(ran.filter((word) => word === 'consumed')).toHaveLength(1);
  });

  it('[APPR-017] is one card for a repeated action that waits', async () => {
    const { call } = await asking();
    const first = (await call('note', { word: 'same' })).data;
    expect((await call('note', { word: 'same' })).data).toMatchObject({ callId: first.callId, approvalId: first.approvalId, status: 'pending_approval' });
  });

  it('[APPR-018] is another one for another callId', async () => {
    const { call } = await asking();
    const [one, two] = [(await call('note', { word: 'twin' }, 'one')).data, (await call('note', { word: 'twin' }, 'two')).data];
    expect([one.callId, two.callId]).toEqual(['one', 'two']);
    expect(one.approvalId).not.toBe(two.approvalId);
    await decide(one.approvalId);
    expect(ran.filter((word) => word === 'twin')).toHaveLength(1);
    await decide(two.approvalId);
    expect(ran.filter((word) => word === 'twin')).toHaveLength(2);
  });

  it('[APPR-022] [APPR-023] is superseded when its run completes, fails or is cancelled, and decides nothing then', async () => {
    for (const [end, body] of [['complete', {}], ['fail', { reason: 'Enough' }], ['cancel', {}]] as const) {
      const { call, runId } = await asking();
      const waiting = [(await call('note', { word: `${end}-1` })).data, (await call('note', { word: `${end}-2` })).data] as Body[];
      expect((await agent()('POST', `agent/runs/${runId}/${end}`, body)).status).toBe(200);
      for (const { approvalId } of waiting) {
        expect((await reviewer()('GET', `agent/approvals/${approvalId}`)).body.data.status).toBe('superseded');
        const late = await decide(approvalId as string);
        expect([late.status, late.body]).toMatchObject([409, { code: 'ALREADY_DECIDED', facts: { status: 'superseded' } }]);
      }
      expect(ran.some((word) => word.startsWith(`${end}-`))).toBe(false);
    }
  });

  it('[APPR-004] concerns the schema or items, as its tool does', async () => {
    const { call } = await asking();
    const schema = (await call('createField', { collection: 'products', field: { name: 'colour', type: 'text' } })).data;
    const items = (await call('deleteItem', { collection: 'products', id: await newItem((await open()).call) })).data;
    const domain = async ({ approvalId }: Body) => (await reviewer()('GET', `agent/approvals/${approvalId}`)).body.data.domain as string;
    expect([await domain(schema), await domain(items)]).toEqual(['schema', 'items']);
  });
});
