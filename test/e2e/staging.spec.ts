import { describe, expect, it } from '@jest/globals';
import { type Body } from './server';
import { FOUR_HOURS, stagedChanges } from './staged-changes';

describe('Staged changes over HTTP', () => {
  const { server, agent, ada, open, put, itemNow, streamOf } = stagedChanges();

  it('[TRUST-010] [VETO-001] [VETO-002] [VETO-003] stages a change, with a question of kind veto, and leaves the live item alone', async () => {
    const { runId, newItem, change } = await open();
    const id = await newItem();
    const answer = await change(id, { title: 'After' });
    expect(answer.data).toMatchObject({ status: 'staged', stagingId: expect.stringMatching(/^stg_/), approvalId: expect.stringMatching(/^appr_/), autonomy: 3 });
    const { stagingId, approvalId, autoCommitAt } = answer.data as Body;
    const [staged, asked, ofRun] = await Promise.all([streamOf(stagingId), streamOf(approvalId), streamOf(runId)]);
    expect(Date.parse(autoCommitAt) - Date.parse(staged[0].data.stagedAt)).toBe(FOUR_HOURS);
    expect(asked[0].data).toMatchObject({ kind: 'veto', autoCommitAt, runId });
    // One append: three streams, positions in a row.
    const positions = [ofRun.at(-1), asked[0], staged[0]].map((event: Body) => BigInt(event.position as string)).toSorted((a, b) => (a < b ? -1 : 1));
    expect(positions.at(-1)! - positions[0]!).toBe(2n);
    expect(await itemNow(id)).toMatchObject({ data: { title: 'Before' }, version: 1 });
    const revisions = (await ada()('GET', `items/products/${id}/revisions?minPosition=${answer.position}`)).body.data as Body[];
    expect(revisions).toContainEqual(expect.objectContaining({
      action: 'staged', staged: true, stagingId, autoCommitAt, createdByRunId: runId, authorType: 'agent', changes: [{ field: 'title', before: 'Before', after: 'After' }],
    }));
    expect((await agent()('GET', `agent/runs/${runId}`)).body.data).toMatchObject({ status: 'running', toolCalls: [{ status: 'executed' }, { status: 'staged', approvalId }] });
  });

  it('[VETO-023] writes an activity entry veto.staged with a deep link for review', async () => {
    const { runId, newItem, change } = await open();
    const id = await newItem();
    const { data, position } = (await change(id, { title: 'After' })) as Body;
    const feed = (await ada()('GET', `agent/activity?kind=veto.staged&subjectId=${data.stagingId}&minPosition=${position}`)).body.data as Body[];
    expect(feed).toMatchObject([{
      kind: 'veto.staged', subjectId: data.stagingId, deepLink: `/studio#/staged/${data.stagingId}`, actorId: agent().id, runId,
      detail: { collection: 'products', itemId: id, fields: ['title'], agentRole: 'Writer', autoCommitAt: data.autoCommitAt, approvalId: data.approvalId },
    }]);
  });

  it('answers a repeated callId from the record', async () => {
    const { newItem, change } = await open();
    const id = await newItem();
    const [first, second] = await Promise.all([change(id, { title: 'X' }, 'c-1'), change(id, { title: 'X' }, 'c-1')]);
    expect([first.data.status, second.data]).toEqual(['staged', first.data]);
  });

  it('[VETO-004] [VETO-005] takes the window from the site, and asks before execution while the flag is off', async () => {
    await put('settings', { vetoWindowMs: 90_000 });
    const { newItem, change } = await open();
    const id = await newItem();
    const { stagingId, autoCommitAt } = (await change(id, { title: 'After' })).data as Body;
    expect(Date.parse(autoCommitAt) - Date.parse((await streamOf(stagingId))[0].data.stagedAt)).toBe(90_000);
    await put('settings', { contentOs: { vetoWindow: false } });
    const other = await open();
    expect((await other.change(await other.newItem(), { title: 'After' })).data).toMatchObject({ status: 'pending_approval', autonomy: 2 });
    await put('settings', { contentOs: { vetoWindow: true } });
  });

  it('[VETO-021] lists what waits, with collection, item, patch, role and remaining time', async () => {
    const { runId, newItem, change } = await open();
    const id = await newItem();
    const { data, position } = (await change(id, { title: 'After' })) as Body;
    const listed = (await ada()('GET', `agent/staged?runId=${runId}&minPosition=${position}`)).body.data as Body[];
    expect(listed).toMatchObject([{
      id: data.stagingId, status: 'staged', collection: 'products', itemId: id, patch: { title: 'After' }, before: { title: 'Before' }, agentRole: 'Writer', runId,
      autoCommitAt: data.autoCommitAt, remainingMs: expect.any(Number),
    }]);
    expect(listed[0].remainingMs).toBeGreaterThan(FOUR_HOURS - 60_000);
    expect(listed[0].remainingMs).toBeLessThanOrEqual(FOUR_HOURS);
  });

  it('lets a task succeed with its staged change', async () => {
    const { newItem } = await open();
    const task = { skillName: 'updateItem', arguments: { collection: 'products', id: await newItem(), data: { title: 'After' } } };
    const { data } = (await agent()('POST', 'agent/goals', { title: 'Rename', agentName: 'robot', agentRole: 'Writer', task })).body;
    expect(data).toMatchObject({ goalStatus: 'completed', runStatus: 'succeeded', result: { status: 'staged', stagingId: expect.any(String) } });
    expect((await ada()('POST', `agent/staged/${data.result.stagingId}/commit-now`)).body.data.status).toBe('committed');
  });

  it('decides a staged change on its own routes only', async () => {
    const { newItem, change } = await open();
    const { approvalId } = (await change(await newItem(), { title: 'After' })).data as Body;
    expect((await ada()('POST', `agent/approvals/${approvalId}/decide`, { decision: 'approved' })).body).toMatchObject({ code: 'FORBIDDEN', facts: { kind: 'veto' } });
  });

  it('hides the staged changes of a site from every other', async () => {
    const { newItem, change } = await open();
    const { stagingId } = (await change(await newItem(), { title: 'After' })).data as Body;
    const { data } = (await server().admin('POST', 'sites', { name: 'Other' })).body;
    const foreign = server().as(data.adminKey as string);
    const answers = await Promise.all([stagingId, 'stg_nobody'].flatMap((id) => ['veto', 'commit-now'].map((act) => foreign('POST', `agent/staged/${id}/${act}`, act === 'veto' ? {} : undefined))));
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([403, 'FORBIDDEN']));
    expect((await foreign('GET', 'agent/staged')).body.data).toEqual([]);
  });

  it('[VETO-024] carries its provenance: the agent as author, the run, and the constitution that the run works under', async () => {
    const drafted = (await server().admin('POST', 'agent/constitution', { evaluators: [{ id: 'titled', type: 'rule', rule: 'required', field: 'title' }] })).body.data as Body;
    await server().admin('POST', `agent/constitution/${drafted.id}/activate`, {});
    const { runId, goalId, newItem, change } = await open();
    const { constitutionHash } = (await agent()('GET', `agent/runs/${runId}`)).body.data.metrics as Body;
    expect(constitutionHash).toMatch(/^[0-9a-f]{64}$/);
    const id = await newItem();
    const { stagingId } = (await change(id, { title: 'After' })).data as Body;
    const committed = await ada()('POST', `agent/staged/${stagingId}/commit-now`);
    expect(committed.body.data).toMatchObject({ status: 'committed', agentName: 'robot', agentRole: 'Writer', runId, goalId, constitutionHash });
    const revisions = (await ada()('GET', `items/products/${id}/revisions?minPosition=${committed.body.position}`)).body.data as Body[];
    expect(revisions[0]).toMatchObject({ action: 'updated', authorType: 'agent', authorId: agent().id, createdByRunId: runId, constitutionHash, stagingId, staged: false });
  });
});
