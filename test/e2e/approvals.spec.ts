import { describe, expect, it } from '@jest/globals';
import { jobs } from './jobs';
import { type Body } from './server';

describe('Approvals over HTTP', () => {
  const { ran, server, agent, reviewer, open, eventsOf, newItem } = jobs();

  it('[DOOR-010] [APPR-005] holds a dangerous call for a person', async () => {
    const { call, runId } = await open();
    const id = await newItem(call);
    const asked = await call('deleteItem', { collection: 'products', id });
    expect(asked.data).toMatchObject({ status: 'pending_approval', approvalId: expect.stringMatching(/^appr_/), actionDigest: expect.stringMatching(/^[0-9a-f]{64}$/), autonomy: 1 });
    expect((await agent()('GET', `agent/runs/${runId}`)).body.data).toMatchObject({ status: 'awaiting_approval', approvals: [asked.data.approvalId] });
    const pending = (await reviewer()('GET', 'agent/approvals?status=pending', undefined, { 'x-min-position': asked.position as string })).body.data as Body[];
    expect(pending.find((each) => each.id === asked.data.approvalId)).toMatchObject({ tool: 'deleteItem', runId, status: 'pending', arguments: { id }, domain: 'items' });
    expect((await agent()('GET', `items/products/${id}`)).status).toBe(200);
  });

  it('[APPR-006] shows what an action would change', async () => {
    const { call } = await open();
    const id = await newItem(call, 'Before');
    const asked = await call('deleteItem', { collection: 'products', id });
    const { data } = (await reviewer()('GET', `agent/approvals/${asked.data.approvalId}`)).body;
    expect(data).toMatchObject({ status: 'pending', actionDigest: asked.data.actionDigest, diff: expect.arrayContaining([{ path: 'title', before: 'Before', after: null }]) });
  });

  it('[APPR-007] [APPR-008] [APPR-010] [APPR-011] runs only the stored call when a person approves', async () => {
    const { call, runId } = await open();
    await call('note', { word: 'once' });
    const id = await newItem(call);
    const asked = await call('deleteItem', { collection: 'products', id });
    const decided = await reviewer()('POST', `agent/approvals/${asked.data.approvalId}/decide`, { decision: 'approved', reason: 'A leftover', actionDigest: asked.data.actionDigest });
    expect([decided.status, decided.body.data]).toMatchObject([200, { approvalId: asked.data.approvalId, status: 'approved', call: { callId: asked.data.callId, status: 'executed', result: { deleted: true, id } } }]);
    const events = await server().log();
    const approved = events.find((event: Body) => event.stream_id === `approval-${asked.data.approvalId}` && event.type === 'ApprovalApproved');
    expect(approved).toMatchObject({ data: { by: { kind: 'human', id: reviewer().id }, reason: 'A leftover', decidedAt: expect.any(String) }, metadata: { actor: { id: reviewer().id } } });
    const ofRun = (await eventsOf(runId)).filter((event: Body) => event.type === 'ToolCallAuthorised').map((event: Body) => event.data);
    expect(ofRun.map((data: Body) => data.tool)).toEqual(['note', 'createItem', 'deleteItem']);
    expect(ofRun[2]).toMatchObject({ approvalId: asked.data.approvalId, arguments: { collection: 'products', id }, actionDigest: asked.data.actionDigest });
    expect(ran.filter((word) => word === 'once')).toHaveLength(1);
    expect((await agent()('GET', `items/products/${id}`)).status).toBe(410);
    // The deletion is the agent's work on its run; who allowed it is in the approval.
    expect(events.find((event: Body) => event.stream_id === `item-${id}` && event.type === 'ItemDeleted').metadata).toMatchObject({ actor: { kind: 'agent', id: agent().id }, runId });
    expect((await agent()('GET', `agent/runs/${runId}`)).body.data.status).toBe('running');
  });

  it('[APPR-007] sends a refusal back with its reason and keeps the thing', async () => {
    const { call, runId } = await open();
    const id = await newItem(call);
    const first = await call('deleteItem', { collection: 'products', id });
    const silent = await reviewer()('POST', `agent/approvals/${first.data.approvalId}/decide`, { decision: 'rejected' });
    expect([silent.status, silent.body.code]).toEqual([422, 'VALIDATION_FAILED']);
    const no = await reviewer()('POST', `agent/approvals/${first.data.approvalId}/decide`, { decision: 'rejected', reason: 'Still sold' });
    expect(no.body.data).toMatchObject({ status: 'rejected', call: { status: 'denied', reason: 'rejected', facts: { reason: 'Still sold' } } });
    const second = await call('deleteItem', { collection: 'products', id }, 'again');
    const later = await reviewer()('POST', `agent/approvals/${second.data.approvalId}/decide`, { decision: 'changes_requested', reason: 'Archive it instead' });
    expect(later.body.data.call).toMatchObject({ status: 'denied', reason: 'changes_requested', facts: { reason: 'Archive it instead' } });
    expect((await agent()('GET', `agent/runs/${runId}`)).body.data.status).toBe('running');
    expect((await agent()('GET', `items/products/${id}`)).status).toBe(200);
  });

  it('decides an approval once, and tells the second who was first', async () => {
    const { call } = await open();
    const asked = await call('deleteItem', { collection: 'products', id: await newItem(call) });
    const both = await Promise.all([1, 2].map(() => reviewer()('POST', `agent/approvals/${asked.data.approvalId}/decide`, { decision: 'approved' })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)!.body).toMatchObject({ code: 'ALREADY_DECIDED', facts: { by: reviewer().id } });
  });

  it('runs nothing when the tool changed after the reviewer looked', async () => {
    const { call } = await open();
    const id = await newItem(call);
    const asked = await call('deleteItem', { collection: 'products', id });
    await server().admin('PUT', 'agent/tools/deleteItem', { description: `Deletes one item. ${asked.data.callId}` });
    const decided = await reviewer()('POST', `agent/approvals/${asked.data.approvalId}/decide`, { decision: 'approved' });
    expect([decided.status, decided.body.code]).toEqual([409, 'ACTION_CHANGED']);
    expect((await agent()('GET', `items/products/${id}`)).status).toBe(200);
  });

  it('lets no agent decide, and nobody without the capability', async () => {
    const { call } = await open();
    const asked = await call('deleteItem', { collection: 'products', id: await newItem(call) });
    const robot = await server().newKey({ kind: 'agent', capabilities: ['approvals:decide'] });
    const stranger = await server().newKey({ kind: 'human', capabilities: ['items:read'] });
    for (const key of [robot, stranger]) {
      expect((await key('POST', `agent/approvals/${asked.data.approvalId}/decide`, { decision: 'approved' })).body.code).toBe('FORBIDDEN');
    }
  });

  it('shows one card for a repeated request of an identical action that waits', async () => {
    const { call } = await open();
    const args = { collection: 'products', id: await newItem(call) };
    const first = await call('deleteItem', args);
    expect((await call('deleteItem', args)).data).toMatchObject({ callId: first.data.callId, approvalId: first.data.approvalId });
    expect((await call('deleteItem', args, 'another')).data.approvalId).not.toBe(first.data.approvalId);
  });

  it('supersedes the open approvals of a run that ends', async () => {
    const { call, runId } = await open();
    const asked = await call('deleteItem', { collection: 'products', id: await newItem(call) });
    await agent()('POST', `agent/runs/${runId}/complete`, {});
    const late = await reviewer()('POST', `agent/approvals/${asked.data.approvalId}/decide`, { decision: 'approved' });
    expect([late.status, late.body]).toMatchObject([409, { code: 'ALREADY_DECIDED', facts: { status: 'superseded' } }]);
    expect((await reviewer()('GET', `agent/approvals/${asked.data.approvalId}`)).body.data.status).toBe('superseded');
  });
});
