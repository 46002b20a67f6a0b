import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testServer, type Answer, type Api, type Body, type TestServer } from './server';

const flag = (server: TestServer, agentReview: boolean, more: object = {}) => server.admin('PUT', 'settings', { contentOs: { agentReview }, ...more });

describe('Agents as reviewers over HTTP', () => {
  let server: TestServer;
  let author: Api & { readonly id: string };
  let checker: Api & { readonly id: string };
  beforeAll(async () => {
    server = await testServer();
    author = await server.newKey({ name: 'author', capabilities: ['items:read', 'items:write', 'items:update', 'items:delete', 'schema:create', 'schema:update', 'schema:read', 'review:items'] });
    checker = await server.newKey({ name: 'checker', capabilities: ['review:items', 'review:schema', 'items:read'] });
    await server.admin('POST', 'agent/roles', { name: 'Architect', description: 'Reviews schema.', capabilities: ['review:schema'] });
    await flag(server, true);
  });
  afterAll(() => server.close());

  const open = async (as: Api, agentRole?: string): Promise<Body> =>
    (await as('POST', 'agent/goals', { title: 'Work', agentName: 'robot', ...(agentRole !== undefined && { agentRole }) })).body.data;
  /** A deletion that waits for a decision, with the item it would delete. */
  const asked = async (): Promise<Body & { item: string }> => {
    const { runId } = await open(author);
    const made = await author('POST', `agent/runs/${runId}/tool-calls`, { tool: 'createItem', arguments: { collection: 'products', data: { sku: 'R-1', title: 'Draft' } } });
    const item = made.body.data.result.id as string;
    const { data } = (await author('POST', `agent/runs/${runId}/tool-calls`, { tool: 'deleteItem', arguments: { collection: 'products', id: item } })).body;
    return { ...data, runId, item };
  };
  const review = (approvalId: string, reviewerRunId: string, more: object = {}, as: Api = checker): Promise<Answer> =>
    as('POST', `agent/approvals/${approvalId}/agent-decide`, { reviewerRunId, verdict: 'approve', confidence: 0.9, reason: 'A leftover of the migration', ...more });
  const viewOf = async (id: string): Promise<Body> => (await server.admin('GET', `agent/approvals/${id}`)).body.data;
  const exists = async (item: string) => (await author('GET', `items/products/${item}`)).status === 200;
  const eventsOf = async (approvalId: string): Promise<string[]> => (await server.log()).filter(({ stream_id }: Body) => stream_id === `approval-${approvalId}`).map(({ type }: Body) => type);

  it('[REVIEW-001] decides nothing while the flag is off', async () => {
    const [{ approvalId, item }, { runId }] = [await asked(), await open(checker, 'FactChecker')];
    await flag(server, false);
    const answer = await review(approvalId as string, runId as string);
    await flag(server, true);
    expect([answer.status, answer.body.code]).toEqual([409, 'FLAG_OFF']);
    expect([(await viewOf(approvalId)).status, await exists(item), await eventsOf(approvalId)]).toEqual(['pending', true, ['ApprovalRequested']]);
  });

  it('[REVIEW-002] [REVIEW-008] [REVIEW-010] finalises an approve that is sure enough, runs the call and marks who decided everywhere', async () => {
    const [{ approvalId, item, runId: asking }, { runId }] = [await asked(), await open(checker, 'FactChecker')];
    const answer = await review(approvalId as string, runId as string, { confidence: 0.8 });
    expect([answer.status, answer.body.data]).toMatchObject([200, { approvalId, status: 'approved', escalated: false, call: { status: 'executed' } }]);
    expect(await exists(item)).toBe(false);
    const mark = { status: 'approved', approverType: 'agent', approverRunId: runId, decidedByKind: 'agent', decidedBy: checker.id, confidence: 0.8, reason: 'A leftover of the migration', channel: 'agent_review' };
    expect(await viewOf(approvalId)).toMatchObject(mark);
    const position = answer.body.position as string;
    const list = (await server.admin('GET', `agent/approvals?runId=${asking}`, undefined, { 'x-min-position': position })).body.data as Body[];
    expect(list).toMatchObject([mark]);
    const approved = (await server.log()).find(({ type, stream_id }: Body) => type === 'ApprovalApproved' && stream_id === `approval-${approvalId}`);
    expect(approved.data).toMatchObject({ by: { kind: 'agent', id: checker.id, role: 'FactChecker' }, approverRunId: runId, confidence: 0.8 });
  });

  it.each([['reject', 1, 'rejected'], ['approve', 0.79, 'low_confidence']] as const)(
    '[REVIEW-008] [REVIEW-011] leaves %s at %d to a human, who finds it by its link and decides it', async (verdict, confidence, cause) => {
      const [{ approvalId, item }, { runId }] = [await asked(), await open(checker, 'FactChecker')];
      const answer = await review(approvalId as string, runId as string, { verdict, confidence });
      expect([answer.status, answer.body.data]).toMatchObject([200, { status: 'pending', escalated: true, cause, deepLink: expect.stringContaining(approvalId as string) }]);
      expect([(await viewOf(approvalId)).status, await exists(item), await eventsOf(approvalId)]).toEqual(['pending', true, ['ApprovalRequested', 'ReviewEscalated']]);
      const { deepLink, agentReviews } = await viewOf(approvalId);
      expect([deepLink, agentReviews]).toMatchObject([answer.body.data.deepLink, [{ reviewerRunId: runId, verdict, confidence, cause }]]);
      expect((await review(approvalId as string, runId as string, { confidence: 1 })).body.code).toBe('FORBIDDEN');
      const human = await server.admin('POST', `agent/approvals/${approvalId}/decide`, { decision: 'approved' });
      expect(human.body.data).toMatchObject({ status: 'approved', call: { status: 'executed' } });
      expect(await viewOf(approvalId)).toMatchObject({ approverType: 'human', approverRunId: null });
    },
  );

  it('[REVIEW-009] takes the floor from the site’s settings, 0.8 unless set', async () => {
    expect((await server.admin('GET', 'settings')).body.data.agentReviewMinConfidence).toBe(0.8);
    const { runId } = await open(checker, 'FactChecker');
    await flag(server, true, { agentReviewMinConfidence: 0.95 });
    const strict = (await review((await asked()).approvalId as string, runId as string, { confidence: 0.94 })).body.data;
    await flag(server, true, { agentReviewMinConfidence: 0.3 });
    const easy = (await review((await asked()).approvalId as string, runId as string, { confidence: 0.3 })).body.data;
    await flag(server, true, { agentReviewMinConfidence: 0.8 });
    expect([strict.status, easy.status]).toEqual(['pending', 'approved']);
  });

  it('[REVIEW-003] [REVIEW-004] asks the reviewing run’s role for the review of the approval’s domain', async () => {
    const { approvalId: items, item } = await asked();
    const { runId } = await open(author);
    const column = { collection: 'products', field: { name: 'colour', type: 'text' } };
    const { approvalId: schema } = (await author('POST', `agent/runs/${runId}/tool-calls`, { tool: 'createField', arguments: column })).body.data;
    const [facts, architect, none] = await Promise.all([open(checker, 'FactChecker'), open(checker, 'Architect'), open(checker)]);
    const codes = (approvalId: string, ...runs: readonly Body[]) => Promise.all(runs.map(async (run) => (await review(approvalId, run.runId as string)).body.code));
    expect(await codes(items as string, architect, none)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    expect(await codes(schema as string, facts, none)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    expect(await exists(item)).toBe(true);
    expect((await review(schema as string, architect.runId as string)).body.data).toMatchObject({ status: 'approved', call: { status: 'executed' } });
    expect((await review(items as string, facts.runId as string)).body.data).toMatchObject({ status: 'approved' });
  });

  it('[REVIEW-005] never decides what its own goal tree asked for', async () => {
    const { runId } = await open(author, 'FactChecker');
    await server.admin('POST', 'agent/roles', { name: 'Doer', description: 'Does and reviews.', capabilities: ['review:items', 'items:write', 'items:delete'] });
    const { runId: doing } = await open(author, 'Doer');
    const made = (await author('POST', `agent/runs/${doing}/tool-calls`, { tool: 'createItem', arguments: { collection: 'products', data: { sku: 'R-2', title: 'Mine' } } })).body.data;
    const { approvalId } = (await author('POST', `agent/runs/${doing}/tool-calls`, { tool: 'deleteItem', arguments: { collection: 'products', id: made.result.id } })).body.data;
    const own = await review(approvalId as string, doing, {}, author);
    expect([own.status, own.body.code, (await viewOf(approvalId)).status]).toEqual([403, 'FORBIDDEN', 'pending']);
    expect((await review(approvalId as string, runId as string, {}, author)).body.data).toMatchObject({ status: 'approved' });
  });

  it('lets nobody decide their own request through an agent when duties are separated', async () => {
    const [{ approvalId }, { runId }] = [await asked(), await open(author, 'FactChecker')];
    await flag(server, true, { separationOfDuties: true });
    const answer = await review(approvalId as string, runId as string, {}, author);
    await flag(server, true, { separationOfDuties: false });
    expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
  });

  it('speaks only through a live run of the caller, and only once about a decided approval', async () => {
    const [{ approvalId }, { runId }] = [await asked(), await open(checker, 'FactChecker')];
    expect((await review(approvalId as string, runId as string, {}, author)).body.code).toBe('FORBIDDEN');
    expect((await review(approvalId as string, 'run_unknown')).body.code).toBe('FORBIDDEN');
    expect((await review('appr_unknown', runId as string)).body.code).toBe('FORBIDDEN');
    const both = await Promise.all([review(approvalId as string, runId as string), review(approvalId as string, runId as string)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const { approvalId: later } = await asked();
    await checker('POST', `agent/runs/${runId}/complete`);
    expect((await review(later as string, runId as string)).body.code).toBe('RUN_TERMINAL');
  });

  it('answers a repeated request with what the first one did', async () => {
    const [{ approvalId }, { runId }] = [await asked(), await open(checker, 'FactChecker')];
    const body = { reviewerRunId: runId, verdict: 'approve', confidence: 1, reason: 'Fine' };
    const send = () => checker('POST', `agent/approvals/${approvalId}/agent-decide`, body, { 'idempotency-key': 'review-once' });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
  });

  it('[REVIEW-006] cannot decide what waits in a veto window', async () => {
    await server.admin('PUT', 'settings', { contentOs: { agentReview: true, vetoWindow: true } });
    const { data: product } = (await server.admin('POST', 'items/products', { data: { sku: 'R-4', title: 'Before' } })).body;
    const { runId } = (await author('POST', 'agent/goals', { title: 'Edit', agentName: 'robot', approvalPolicy: 'before_commit' })).body.data;
    const change = { collection: 'products', id: product.id, data: { title: 'After' } };
    const staged = (await author('POST', `agent/runs/${runId}/tool-calls`, { tool: 'updateItem', arguments: change })).body;
    expect(staged.data).toMatchObject({ status: 'staged', approvalId: expect.any(String) });
    const { runId: looking } = await open(checker, 'FactChecker');
    const answer = await review(staged.data.approvalId as string, looking as string, { confidence: 1 });
    expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
    expect(await viewOf(staged.data.approvalId as string)).toMatchObject({ kind: 'veto', status: 'pending', agentReviews: [] });
    expect((await author('GET', `items/products/${product.id}`)).body.data.data.title).toBe('Before');
    await server.admin('PUT', 'settings', { contentOs: { agentReview: true, vetoWindow: false } });
  });

  it('[TRUST-033] [REVIEW-007] earns nobody a promotion, and cannot decide one', async () => {
    await server.admin('POST', 'agent/roles', { name: 'Eraser', description: 'Deletes.', capabilities: ['items:write', 'items:delete'] });
    await flag(server, true, { promotion: { streak: 1, decided: 1, rate: 1 } });
    const proposed = async (): Promise<Body[]> => {
      const position = String(await server.head());
      await server.admin('GET', 'agent/approvals?limit=1', undefined, { 'x-min-position': position });
      const checked = await server.admin('POST', 'agent/autonomy/promotions/check');
      expect(checked.status).toBeLessThan(300);
      const { data } = (await server.admin('GET', 'agent/autonomy/promotions', undefined, { 'x-min-position': String(await server.head()) })).body;
      return (data as Body[]).filter(({ agentRole, capability }) => agentRole === 'Eraser' && capability === 'items:delete');
    };
    const { runId: looking } = await open(checker, 'FactChecker');
    const erased = async (approve: (approvalId: string) => Promise<Answer>) => {
      const { runId } = await open(author, 'Eraser');
      const ask = async (tool: string, input: object): Promise<Body> =>
        (await author('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: { collection: 'products', ...input } })).body.data;
      const made = await ask('createItem', { data: { sku: 'R-3', title: 'Old' } });
      const { approvalId } = await ask('deleteItem', { id: made.result.id });
      expect((await approve(approvalId as string)).body.data).toMatchObject({ status: 'approved', call: { status: 'executed' } });
      await author('POST', `agent/runs/${runId}/complete`);
    };
    await erased((approvalId) => review(approvalId, looking as string));
    expect(await proposed()).toEqual([]);
    await erased((approvalId) => server.admin('POST', `agent/approvals/${approvalId}/decide`, { decision: 'approved' }));
    const [promotion] = await proposed();
    expect(promotion.evidence).toMatchObject({ decided: 1, approved: 1 });
    const wildcard = await server.newKey({ name: 'everything', capabilities: ['*'] });
    await server.admin('POST', 'agent/roles', { name: 'Overseer', description: 'Reviews all.', capabilities: ['*'] });
    const { runId } = await open(wildcard, 'Overseer');
    const answer = await review(promotion.approvalId as string, runId as string, {}, wildcard);
    expect([answer.status, answer.body.code, (await viewOf(promotion.approvalId as string)).status]).toEqual([403, 'FORBIDDEN', 'pending']);
  });

  it('decides nothing while the reviewer’s role or the site is frozen', async () => {
    const [{ approvalId }, { runId }] = [await asked(), await open(checker, 'FactChecker')];
    const codes: string[] = [];
    for (const target of [{ scope: 'role', targetId: 'FactChecker' }, { scope: 'site' }]) {
      await server.admin('POST', 'agent/kill-switch', target);
      codes.push((await review(approvalId as string, runId as string)).body.code as string);
      await server.admin('POST', 'agent/kill-switch/lift', target);
    }
    expect(codes).toEqual(['FROZEN', 'FROZEN']);
    expect((await viewOf(approvalId)).status).toBe('pending');
  });
});
