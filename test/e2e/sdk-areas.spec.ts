import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Harness, type Approval } from '../../libs/sdk/src';
import { until } from './machine';
import { testServer, type TestServer } from './server';

const IN_A_MONTH = new Date(Date.now() + 30 * 24 * 3_600_000).toISOString();

describe('The SDK in every area', () => {
  let server: TestServer;
  let admin: Harness;
  let agent: Harness;
  let reviewer: Harness;
  const rowsOf = async <T>(rows: AsyncIterable<T>): Promise<T[]> => {
    const all: T[] = [];
    for await (const row of rows) all.push(row);
    return all;
  };
  const as = (key: string) => new Harness({ url: server.url, key });

  beforeAll(async () => {
    server = await testServer();
    admin = as(server.admin.key);
    agent = as((await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:write', 'items:update', 'items:delete', 'schema:read'] })).key);
    const ada = await server.newKey({ name: 'Ada', kind: 'human', capabilities: ['approvals:decide', 'items:read', 'items:update', 'items:delete'] });
    reviewer = as(ada.key);
    await server.admin('PUT', 'settings', { contentOs: { vetoWindow: true, reconciler: true } });
  });
  afterAll(() => server.close());

  it('has goals that run later, and waits for their end without asking again and again', async () => {
    let reads = 0;
    const counting: typeof fetch = (input, init) => {
      if (/\/agent\/runs\/\w+$/.test(String(input)) && init?.method === undefined) reads++;
      return fetch(input, init);
    };
    const later = new Harness({ url: server.url, key: server.admin.key, fetch: counting });
    const { data } = await later.goals.create({ title: 'Later', agentName: 'robot', execution: 'async', task: { skillName: 'listCollections', arguments: {} } });
    expect(data).toMatchObject({ runStatus: 'queued' });
    expect(await later.run(data.runId).waitForEnd()).toMatchObject({ runId: data.runId, status: 'succeeded' });
    expect(reads).toBeLessThanOrEqual(2);
    expect(await later.run(data.runId).waitForEnd()).toMatchObject({ status: 'succeeded' });
    const stop = new AbortController();
    const waiting = (await agent.goal({ title: 'Never ends', agentName: 'robot' })).waitForEnd({ signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    const { data: retried } = await later.run(data.runId).retry();
    expect(await later.run(retried.runId).waitForEnd()).toMatchObject({ status: 'succeeded' });
  });

  it('has all of content: fields, relations, versions, revisions, files of items, and the word that something changed', async () => {
    const { collections } = admin;
    await collections.create({ name: 'makers', fields: [{ name: 'name', type: 'text' }] });
    await collections.create({ name: 'chairs', fields: [{ name: 'title', type: 'text' }, { name: 'maker', type: 'text' }, { name: 'legs', type: 'integer' }] });
    expect((await collections.describe('chairs', 'To sit on')).data).toMatchObject({ description: 'To sit on' });
    expect((await collections.changeField('chairs', 'legs', { constraints: { min: 1 } })).data.fields[2]).toMatchObject({ constraints: { min: 1 } });
    expect((await collections.relate('chairs', { name: 'by', field: 'maker', to: 'makers' })).data).toMatchObject({ from: 'chairs', to: 'makers' });
    expect(await collections.relations('makers')).toHaveLength(1);

    const chairs = admin.items('chairs');
    const { data: maker } = await admin.items('makers').create({ name: 'Ann' });
    const { data: chair } = await chairs.create({ title: 'One', maker: maker.id, legs: 4 });
    await expect(admin.items('makers').delete(maker.id)).rejects.toMatchObject({ code: 'CONFLICT' });
    await chairs.update(chair.id, { title: 'Two' });
    expect((await chairs.restore(chair.id, 1)).data.data).toMatchObject({ title: 'One' });
    await chairs.createVersion(chair.id, 'spring', { title: 'Spring' });
    await chairs.updateVersion(chair.id, 'spring', { legs: 3 });
    expect((await chairs.versions(chair.id)).map(({ name }) => name)).toEqual(['spring']);
    expect((await chairs.compareVersion(chair.id, 'spring')).changes).toHaveLength(2);
    expect((await chairs.promoteVersion(chair.id, 'spring')).data.data).toMatchObject({ title: 'Spring', legs: 3 });
    await chairs.createVersion(chair.id, 'autumn');
    expect((await chairs.deleteVersion(chair.id, 'autumn')).data).toMatchObject({ deleted: true });

    const stop = new AbortController();
    const changes = chairs.changes(stop.signal);
    expect((await changes.next()).value).toMatchObject({ collection: 'chairs', changes: 0 });
    const lines = Array.from({ length: 3 }, (_, n) => `${JSON.stringify({ data: { title: `Chair ${n}`, legs: 4 } })}\n`).join('');
    expect((await chairs.import(lines)).data).toEqual({ collection: 'chairs', created: 3 });
    expect((await changes.next()).value).toMatchObject({ collection: 'chairs', changes: 3 });
    stop.abort();
    await changes.return(undefined);
    expect((await rowsOf(chairs.export({ filter: { legs: 4 } }))).map(({ data }) => data['title']).toSorted()).toEqual(['Chair 0', 'Chair 1', 'Chair 2']);
    await expect(chairs.import('{"data":{"legs":"four"}}')).rejects.toMatchObject({ status: 422, code: 'VALIDATION_FAILED' });
    await expect(rowsOf(admin.items('none').export())).rejects.toMatchObject({ status: 403 });
    await expect(reviewer.items('chairs').explain(chair.id, { revision: 1, answer: 'exception' })).rejects.toMatchObject({ code: 'CONFLICT' });

    expect((await collections.deleteRelation('chairs', 'by')).data).toMatchObject({ deleted: true });
    expect((await collections.deleteField('chairs', 'maker')).data.fields).toHaveLength(2);
    expect((await collections.delete('makers')).data).toEqual({ name: 'makers', deleted: true });
  });

  it('splits goals into parts, takes them up, settles and cancels them', async () => {
    const planner = await admin.goal({ title: 'All of it', agentName: 'planner', agentRole: 'Planner', budget: { maxToolCalls: 10 }, priority: 3, acceptance: 'Nothing is left' });
    const { data: split } = await admin.goals.decompose(planner.goalId!, [{ title: 'Write', agentRole: 'Writer' }, { title: 'Look', agentRole: 'Translator', maxToolCalls: 3 }]);
    expect(split.goals.map(({ maxToolCalls }) => maxToolCalls)).toEqual([7, 3]);
    expect((await rowsOf(admin.goals.each({ parentGoalId: planner.goalId }))).map(({ id }) => id).toSorted()).toEqual(split.goals.map(({ goalId }) => goalId).toSorted());
    await expect(admin.goals.settle(planner.goalId!)).rejects.toMatchObject({ code: 'CONFLICT' });
    const [write] = split.goals;
    const run = await agent.startGoal(write!.goalId, { agentName: 'robot' });
    await expect(agent.startGoal(write!.goalId, { agentName: 'robot' }, { idempotencyKey: 'another' })).rejects.toMatchObject({ status: 409 });
    expect((await run.complete()).data).toMatchObject({ status: 'succeeded' });
    const { data: cancelled } = await admin.goals.cancel(planner.goalId!, 'Not needed');
    expect(cancelled.cancelled).toEqual(expect.arrayContaining([planner.goalId, split.goals[1]!.goalId]));
    expect((await admin.goals.get(planner.goalId!)).status).toBe('cancelled');
  });

  const askToDelete = async (): Promise<Approval> => {
    const { data: item } = await admin.items('products').create({ sku: 'D-1', title: 'To go' });
    const { approvalId } = await (await agent.goal({ title: 'Delete', agentName: 'robot' })).call('deleteItem', { collection: 'products', id: item.id });
    return reviewer.approvals.get(approvalId!);
  };

  it('has all that a reviewer can do with an approval', async () => {
    const { id } = await askToDelete();
    expect((await reviewer.approvals.answer(id, 'Why this one?')).data).toMatchObject({ approvalId: id, status: 'pending' });
    expect((await reviewer.approvals.extend(id, IN_A_MONTH)).data).toMatchObject({ expiresAt: IN_A_MONTH });
    const bea = await server.newKey({ name: 'Bea', kind: 'human', capabilities: ['approvals:decide', 'items:delete'] });
    expect((await reviewer.approvals.delegate(id, bea.id, 'You know it')).data).toMatchObject({ assignedTo: bea.id });
    expect((await as(bea.key).approvals.escalate(id, 'Too large for me')).data).toMatchObject({ escalated: true });
    await expect(as(bea.key).approvals.decide(id, { decision: 'approved' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const other = await askToDelete();
    const { data } = await admin.approvals.decideBatch([
      { approvalId: id, decision: 'approved' }, { approvalId: other.id, decision: 'rejected', reason: 'No' }, { approvalId: other.id, decision: 'approved', actionDigest: '0'.repeat(64) },
    ]);
    expect(data.results.map(({ approvalId, ok }) => [approvalId, ok])).toEqual([[id, true], [other.id, expect.any(Boolean)], [other.id, false]]);
    expect(data.results[0]?.decided).toMatchObject({ status: 'approved', call: { status: 'executed' } });
    expect(data.results[2]?.problem).toMatchObject({ status: 409, code: expect.stringMatching(/^(ACTION_CHANGED|ALREADY_DECIDED)$/) });
    expect((await reviewer.approvals.get(id)).answers).toMatchObject([{ text: 'Why this one?' }]);
  });

  it('vetoes staged changes, or commits them at once', async () => {
    const { data: item } = await admin.items('products').create({ sku: 'S-1', title: 'Plain' });
    const run = await admin.goal({ title: 'Change', agentName: 'robot', approvalPolicy: 'before_commit' });
    const stage = async (title: string) => (await run.call('updateItem', { collection: 'products', id: item.id, data: { title } })).stagingId!;
    const first = await stage('Loud');
    expect(await rowsOf(admin.staged.each({ runId: run.runId }))).toMatchObject([{ stagingId: first, status: 'staged', patch: { title: 'Loud' } }]);
    expect((await admin.staged.veto(first, 'Too loud')).data).toMatchObject({ status: 'vetoed' });
    expect((await admin.staged.commitNow(await stage('Clear'))).data).toMatchObject({ status: 'committed' });
    expect((await admin.items('products').get(item.id)).data).toMatchObject({ title: 'Clear' });
    await expect(agent.staged.veto(first)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('pins fields and releases them', async () => {
    const items = admin.items('products');
    const { data: item } = await items.create({ sku: 'P-1', title: 'Ours' });
    expect((await items.pin(item.id, ['title', 'sku'])).data.map(({ field }) => field)).toEqual(['sku', 'title']);
    expect((await items.release(item.id, 'sku')).data.map(({ field }) => field)).toEqual(['title']);
    const refused = await (await agent.goal({ title: 'Change', agentName: 'robot' })).call('updateItem', { collection: 'products', id: item.id, data: { title: 'Theirs' } });
    expect(refused.status).not.toBe('executed');
    expect(await items.pins(item.id)).toMatchObject([{ field: 'title' }]);
    expect((await items.release(item.id)).data).toEqual([]);
  });

  it('proposes promotions, decides them, and takes trust back by incidents', async () => {
    await server.admin('PUT', 'settings', { promotion: { streak: 1, decided: 1, rate: 0 } });
    const { data } = await admin.goals.create({
      title: 'Earn', agentName: 'robot', agentRole: 'Writer', approvalPolicy: 'before_execute', task: { skillName: 'createItem', arguments: { collection: 'products', data: { sku: 'E-1', title: 'Earned' } } },
    });
    await reviewer.approvals.decide(data.result!.approvalId!, { decision: 'approved' }).catch(() => admin.approvals.decide(data.result!.approvalId!, { decision: 'approved' }));
    const [promotionId] = (await admin.promotions.check()).data.proposed;
    expect(await rowsOf(admin.promotions.each())).toMatchObject([{ id: promotionId, agentRole: 'Writer', status: 'pending' }]);
    expect((await admin.promotions.decide(promotionId!, { decision: 'approved' })).data).toMatchObject({ id: promotionId, status: 'approved' });
    const { data: incident } = await admin.incidents.open({ source: 'human_report', severity: 'high', detail: 'Wrong prices', agentRole: 'Writer', capability: 'items:create' });
    expect((await admin.incidents.resolve(incident.id, 'Mended')).data).toMatchObject({ id: incident.id, status: 'resolved', note: 'Mended' });
    expect(await rowsOf(admin.incidents.each({ agentRole: 'Writer' }))).toMatchObject([{ id: incident.id, status: 'resolved' }]);
  });

  it('declares intents, scans by them, pauses and deletes them', async () => {
    await admin.collections.create({ name: 'shelves', fields: [{ name: 'label', type: 'text' }] });
    await admin.items('shelves').create({ label: 'x' });
    const { data: intent } = await admin.intents.declare({ name: 'Labels', collection: 'shelves', rules: [{ type: 'field_constraint', field: 'label', minLength: 10 }] });
    const { data: cycle } = await admin.intents.scan(intent.id);
    expect(cycle).toMatchObject({ status: 'finished', found: 1, goals: 1 });
    const [goalId] = cycle.status === 'finished' ? cycle.goalIds : [];
    expect((await admin.intents.drifts(intent.id)).data).toMatchObject([{ goalId }]);
    expect(await agent.startGoal(goalId!, { agentName: 'robot' })).toMatchObject({ goalId });
    expect((await admin.intents.change(intent.id, { name: 'Long labels' })).data).toMatchObject({ name: 'Long labels' });
    expect((await admin.intents.pause(intent.id, 'A drill')).data).toMatchObject({ status: 'paused', nextRunAt: null });
    expect((await admin.intents.scan(intent.id)).data).toMatchObject({ status: 'skipped' });
    expect((await admin.intents.resume(intent.id)).data).toMatchObject({ status: 'active' });
    expect(await rowsOf(admin.intents.each({ collection: 'shelves' }))).toMatchObject([{ id: intent.id }]);
    await expect(admin.intents.compile({ description: 'Long labels', collection: 'shelves' })).rejects.toMatchObject({ code: 'LLM_NOT_CONFIGURED' });
    await admin.intents.delete(intent.id);
    await expect(admin.intents.get(intent.id)).rejects.toMatchObject({ status: 410 });
  });

  it('drafts artifacts, publishes what they describe and takes it back, and generates apps', async () => {
    const { data: drafted } = await admin.artifacts.draft({ type: 'seed_data', title: 'Racks', content: { collections: [{ name: 'racks', fields: [{ name: 'label', type: 'text' }] }], items: [] } });
    const content = { collections: [{ name: 'racks', fields: [{ name: 'label', type: 'text' }] }], items: [{ collection: 'racks', data: { label: 'One' } }] };
    expect((await admin.artifacts.revise(drafted.id, { content })).data.version).toBe(2);
    const { data: { evaluations } } = await admin.artifacts.evaluate(drafted.id);
    expect((await admin.artifacts.evaluations(drafted.id)).data).toEqual(evaluations);
    const { data: { approvalId } } = await admin.artifacts.submit(drafted.id);
    await reviewer.approvals.decide(approvalId!, { decision: 'approved' });
    expect((await admin.artifacts.publish(drafted.id)).data).toMatchObject({ status: 'published', application: { status: 'done', steps: 2 } });
    expect(await rowsOf(admin.items('racks').each())).toMatchObject([{ data: { label: 'One' } }]);
    expect((await admin.artifacts.rollback(drafted.id, { reason: 'A drill' })).data.application?.kept).toEqual([]);
    expect((await admin.artifacts.get(drafted.id)).history.map(({ what }) => what)).toEqual(['published', 'rolled_back']);
    const { data: app } = await admin.artifacts.generateApp({ template: 'ecommerce' });
    expect((await rowsOf(admin.artifacts.each({ runId: app.runId }))).map(({ id }) => id).toSorted()).toEqual(app.artifacts.map(({ id }) => id).toSorted());
  });

  it('defines flows and runs them', async () => {
    const { data: flow } = await admin.flows.define({ name: 'Upkeep', trigger: { on: 'cron', expression: '0 3 * * *' }, operations: [{ do: 'trust-promote-check' }], capabilities: ['autonomy:write'] });
    const { data: started } = await admin.flows.run(flow.id);
    expect(started).toMatchObject({ flowId: flow.id, cause: 'manual' });
    const { lastRun } = await until(async () => {
      const found = await admin.flows.get(flow.id);
      return found.lastRun ? found : undefined;
    }, () => 'the flow to run', 20_000);
    expect(lastRun).toMatchObject({ runId: started.runId, status: 'succeeded' });
    expect(await admin.run(started.runId).waitForEnd()).toMatchObject({ status: 'succeeded' });
    expect((await admin.flows.change(flow.id, { name: 'Daily upkeep', enabled: false })).data).toMatchObject({ name: 'Daily upkeep', enabled: false });
    expect(await rowsOf(admin.flows.each())).toMatchObject([{ id: flow.id, name: 'Daily upkeep' }]);
    expect((await admin.flows.delete(flow.id)).data).toMatchObject({ deleted: true });
  });
});
