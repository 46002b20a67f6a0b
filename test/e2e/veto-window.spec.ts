import { describe, expect, it } from '@jest/globals';
import { eventually } from './eventually';
import { type Body } from './server';
import { stagedChanges } from './staged-changes';

describe('The veto window over HTTP', () => {
  const { server, agent, ada, open, put, itemNow, streamOf, typesOf, settled } = stagedChanges();

  it('[VETO-006] [VETO-010] commits at the deadline what nobody vetoed, as the agent\'s change with the window as its cause', async () => {
    await put('settings', { vetoWindowMs: 1_000 });
    const { runId, goalId, newItem, change } = await open();
    const id = await newItem();
    const { stagingId, approvalId, autoCommitAt } = (await change(id, { title: 'After' })).data as Body;
    // A flag that is switched off later does not take back what was promised.
    await put('settings', { contentOs: { vetoWindow: false } });
    expect(await settled(stagingId)).toBe('StagingCommitted');
    await put('settings', { contentOs: { vetoWindow: true } });
    const committed = (await streamOf(stagingId))[1];
    expect(committed.data).toMatchObject({ cause: 'window', by: null, fields: ['title'], itemVersion: 2 });
    expect(Date.parse(committed.data.committedAt)).toBeGreaterThanOrEqual(Date.parse(autoCommitAt));
    expect((await itemNow(id)).data).toMatchObject({ title: 'After', price: 5 });
    const patched = (await streamOf(id)).at(-1);
    expect(patched).toMatchObject({ type: 'ItemPatched', metadata: { actor: { kind: 'agent', id: agent().id, role: 'Writer' }, runId, goalId }, data: { staged: { stagingId, constitutionHash: null } } });
    expect((await streamOf(approvalId)).at(-1)).toMatchObject({ type: 'ApprovalApproved', data: { by: { kind: 'service', id: 'veto-window' }, channel: 'window', assurance: 'none' } });
    const listed = (await ada()('GET', `agent/staged?status=committed&runId=${runId}&minPosition=${await server().head()}`)).body.data as Body[];
    expect(listed).toMatchObject([{ id: stagingId, outcome: 'auto_commit', settledBy: null, remainingMs: 0 }]);
  });

  it('[VETO-011] [VETO-012] [VETO-013] lets an admin or a holder of the veto role discard it, at the cost of the role\'s trust', async () => {
    const { newItem, change } = await open();
    const id = await newItem();
    const { stagingId, approvalId } = (await change(id, { title: 'After' })).data as Body;
    for (const key of [ada(), agent()]) expect((await key('POST', `agent/staged/${stagingId}/veto`, {})).body.code).toBe('FORBIDDEN');
    const vetoer = await server().newKey({ name: 'Vera', kind: 'human', roles: ['veto'] });
    const vetoed = await vetoer('POST', `agent/staged/${stagingId}/veto`, { reason: 'Not ours to rename' });
    expect([vetoed.status, vetoed.body.data]).toMatchObject([200, { status: 'vetoed', settledBy: vetoer.id }]);
    expect(await itemNow(id)).toMatchObject({ data: { title: 'Before' }, version: 1 });
    expect((await streamOf(approvalId)).at(-1)).toMatchObject({ type: 'ApprovalRejected', data: { by: { id: vetoer.id }, reason: 'Not ours to rename' } });
    const { incidentId } = (await streamOf(stagingId)).at(-1)!.data as Body;
    expect((await streamOf(incidentId))[0].data).toMatchObject({
      source: 'veto', agentRole: 'Writer', capability: 'items:update', demoted: [{ agentRole: 'Writer', capability: 'items:update', from: 3, to: 2 }],
    });
    expect((await change(id, { title: 'Again' })).data).toMatchObject({ status: 'pending_approval', autonomy: 2 });
    const late = await server().admin('POST', `agent/staged/${stagingId}/veto`, {});
    expect([late.status, late.body]).toMatchObject([409, { code: 'ALREADY_DECIDED', facts: { status: 'vetoed', by: vetoer.id } }]);
  });

  it('[VETO-014] [VETO-016] [VETO-017] drops what people pinned or edited meanwhile, and commits the rest on the moved item', async () => {
    await put('settings', { vetoWindowMs: 3_000 });
    const { newItem, change } = await open();
    const id = await newItem({ title: 'Before', price: 5, description: 'Plain' });
    const { stagingId } = (await change(id, { title: 'After', price: 7, description: 'Fancy' })).data as Body;
    await ada()('POST', `items/products/${id}/pins`, { fields: ['title'] });
    await ada()('PATCH', `items/products/${id}`, { data: { price: 6 } });
    expect(await settled(stagingId)).toBe('StagingCommittedPartially');
    expect((await itemNow(id)).data).toMatchObject({ title: 'Before', price: 6, description: 'Fancy' });
    expect((await streamOf(stagingId)).at(-1)!.data).toMatchObject({
      fields: ['description'], dropped: [{ field: 'title', reason: 'pinned_by_human' }, { field: 'price', reason: 'changed_by_human' }],
    });
    const listed = (await ada()('GET', `agent/staged?status=committed_partially&minPosition=${await server().head()}`)).body.data as Body[];
    const entries = (await ada()('GET', `agent/activity?kind=auto_commit_partial&subjectId=${stagingId}&minPosition=${await server().head()}`)).body.data as Body[];
    expect(entries).toMatchObject([{ detail: { fields: ['description'], dropped: [{ field: 'title', reason: 'pinned_by_human' }, { field: 'price', reason: 'changed_by_human' }] } }]);
    expect(listed[0]).toMatchObject({ stagingId, outcome: 'auto_commit_partial', dropped: [{ field: 'title' }, { field: 'price' }] });
  });

  it('[VETO-015] writes nothing when every field is pinned', async () => {
    await put('settings', { vetoWindowMs: 2_000 });
    const { newItem, change } = await open();
    const id = await newItem();
    const { stagingId, approvalId } = (await change(id, { title: 'After' })).data as Body;
    await ada()('POST', `items/products/${id}/pins`, { fields: ['title'] });
    expect(await settled(stagingId)).toBe('StagingAbandoned');
    expect(await typesOf(id)).toEqual(['ItemCreated', 'FieldPinned']);
    expect(await typesOf(approvalId)).toEqual(['ApprovalRequested', 'ApprovalSuperseded']);
  });

  it('[VETO-020] holds the commit back while the role is frozen, and a veto still counts then', async () => {
    await put('settings', { vetoWindowMs: 1_000 });
    const { newItem, change } = await open();
    const [one, two] = [await newItem(), await newItem()];
    const { stagingId, autoCommitAt } = (await change(one, { title: 'After' })).data as Body;
    const other = (await change(two, { title: 'After' })).data as Body;
    const { freezeId } = (await server().admin('POST', 'agent/kill-switch', { scope: 'role', targetId: 'Writer' })).body.data as Body;
    const due = async () => Date.now() > Date.parse(autoCommitAt) + 1_000;
    await eventually(due, Boolean);
    expect([await typesOf(stagingId), (await itemNow(one)).data.title]).toEqual([['ChangeStaged'], 'Before']);
    expect((await ada()('POST', `agent/staged/${stagingId}/commit-now`)).body).toMatchObject({ status: 423, code: 'FROZEN' });
    expect((await server().admin('POST', `agent/staged/${other.stagingId}/veto`, {})).status).toBe(200);
    await server().admin('POST', 'agent/kill-switch/lift', { freezeId });
    expect(await settled(stagingId)).toBe('StagingCommitted');
    expect([(await itemNow(one)).data.title, (await itemNow(two)).data.title]).toEqual(['After', 'Before']);
  });

  it('[VETO-022] lets an authorised person commit at once, in their name', async () => {
    const { runId, newItem, change } = await open();
    const id = await newItem();
    const { stagingId, approvalId } = (await change(id, { title: 'After' })).data as Body;
    const stranger = await server().newKey({ kind: 'human', capabilities: ['items:read'] });
    const robot = await server().newKey({ kind: 'agent', capabilities: ['approvals:decide'] });
    for (const key of [stranger, robot]) expect((await key('POST', `agent/staged/${stagingId}/commit-now`)).body.code).toBe('FORBIDDEN');
    const now = await ada()('POST', `agent/staged/${stagingId}/commit-now`);
    expect([now.status, now.body.data]).toMatchObject([200, { status: 'committed', outcome: 'commit', settledBy: ada().id }]);
    expect((await itemNow(id)).data.title).toBe('After');
    expect((await streamOf(approvalId)).at(-1)).toMatchObject({ type: 'ApprovalApproved', data: { by: { id: ada().id } }, metadata: { actor: { id: ada().id } } });
    expect((await streamOf(id)).at(-1)).toMatchObject({ metadata: { actor: { kind: 'agent', id: agent().id }, runId } });
    expect((await ada()('POST', `agent/staged/${stagingId}/commit-now`)).body).toMatchObject({ code: 'ALREADY_DECIDED', facts: { status: 'committed' } });
  });
});
