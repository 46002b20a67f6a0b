import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CreateGoalBody } from '../../libs/goals/src/create-goal/create-goal.command';
import type { ForkRunBody } from '../../libs/goals/src/fork-run/fork-run.command';
import type { StartGoalBody } from '../../libs/goals/src/start-goal/start-goal.command';
import { Harness, type CreateGoal, type ForkOverrides, type InputOf, type StartGoal } from '../../libs/sdk/src';
import { operationsOf, type Operation } from './openapi';
import { PLACEHOLDER, requestsOfHelpers, requestsOfWorker, type SentRequest } from './sdk-requests';
import { testServer, type Body, type TestServer } from './server';

/** Operations of the agent API that no helper reaches, each with its reason. */
const WITHOUT_HELPER: Readonly<Record<string, string>> = {};

/** Questions, which change nothing, and streams, which cannot be sent again: the only ones without an idempotency key. */
const WITHOUT_KEY = ['harness.replay.backtest', 'harness.items.import'];

type Told<Answered> = Answered extends AsyncGenerator<infer Row> ? Row : Answered extends Promise<infer Got> ? (Got extends { readonly data: infer Data } ? Data : Got) : never;
type RowOf<Data> = Data extends readonly (infer Row)[] ? Row : Data;
/** `any` and `unknown`: what takes in everything. */
type IsLoose<T> = unknown extends T ? true : false;
type LooseIn<Area> = {
  [Name in keyof Area & string]: Area[Name] extends (...given: never) => infer Answered ? (true extends IsLoose<RowOf<Told<Answered>>> ? Name : never) : never;
}[keyof Area & string];
type LooseHelpers = { [Name in keyof Harness & string]: Harness[Name] extends (...given: never) => unknown ? never : LooseIn<Harness[Name]> extends infer Helper extends string ? `${Name}.${Helper}` : never }[keyof Harness & string];
/** The compiler refuses this when an answer of a helper says nothing, and names the helper. */
const everyAnswerIsTyped: [LooseHelpers] extends [never] ? true : LooseHelpers = true;

type Difference<A, B> = Exclude<keyof A, keyof B> | Exclude<keyof B, keyof A>;
type Forked = NonNullable<InputOf<typeof ForkRunBody>['overrides']>;
type OfGoals = Difference<CreateGoal, InputOf<typeof CreateGoalBody>> | Difference<StartGoal, InputOf<typeof StartGoalBody>> | Difference<ForkOverrides, Forked>;
/** These three are written down in the SDK, because no contract can hold them; they name what the server's schemas name. */
const goalsAreWhole: [OfGoals] extends [never] ? true : OfGoals = true;

const isPlaceholder = (step: string) => step === PLACEHOLDER;
const fits = ({ method, path }: Operation, sent: SentRequest): boolean => {
  const [wanted, given] = [path.split('/'), sent.path.split('/')];
  return method === sent.method && wanted.length === given.length && wanted.every((step, nr) => (step.startsWith('{') ? isPlaceholder(given[nr]!) : step === given[nr]));
};

describe('The SDK and the agent API', () => {
  let server: TestServer;
  let admin: Harness;
  let agent: Harness;
  let sent: readonly SentRequest[];
  const as = (key: string) => new Harness({ url: server.url, key });
  const rowsOf = async <T>(rows: AsyncIterable<T>): Promise<T[]> => {
    const all: T[] = [];
    for await (const row of rows) all.push(row);
    return all;
  };

  beforeAll(async () => {
    server = await testServer();
    admin = as(server.admin.key);
    agent = as((await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:write', 'items:update', 'items:delete', 'review:items'] })).key);
    await server.admin('PUT', 'settings', { contentOs: { agentReview: true } });
  });
  afterAll(() => server.close());

  it('[SDK-001] meet: every operation has a typed helper, and every helper an operation', async () => {
    const { helpers, requests } = await requestsOfHelpers();
    sent = [...requests, ...(await requestsOfWorker())];
    const operations = operationsOf((await (await fetch(`${server.url}/openapi.json`)).json()) as Body);
    const ofAgents = operations.filter(({ path }) => path.startsWith('/api/v1/agent/'));
    const unreached = ofAgents.filter((operation) => !sent.some((request) => fits(operation, request))).map(({ method, path }) => `${method} ${path}`);
    const lost = sent.filter((request) => !operations.some((operation) => fits(operation, request))).map(({ helper, method, path }) => `${helper}: ${method} ${path}`);
    const isEach = ({ helper }: SentRequest) => /\.each[A-Z]?\w*$/.test(helper);
    const lists = ofAgents.filter(({ method, operation }) => method === 'GET' && (operation.parameters as Body[] | undefined)?.some(({ name }) => name === 'cursor'));
    const pagesOnly = lists.filter((list) => !sent.some((request) => isEach(request) && fits(list, request))).map(({ path }) => path);
    // A helper that sends nothing would not be compared.
    const silent = helpers.filter((helper) => !requests.some((request) => request.helper === helper));
    expect({ unreached, lost, pagesOnly, silent }).toEqual({ unreached: Object.keys(WITHOUT_HELPER), lost: [], pagesOnly: [], silent: [] });
    expect(lists.length).toBeGreaterThan(15);
    expect([ofAgents.length, helpers.length].every((many) => many > 100)).toBe(true);
    expect([everyAnswerIsTyped, goalsAreWhole]).toEqual([true, true]);
  });

  it('meet under a key for every write, so that its retries have one effect', () => {
    const unnamed = sent.filter(({ method, key }) => method !== 'GET' && key === null).map(({ helper }) => helper);
    expect([...new Set(unnamed)].toSorted()).toEqual(WITHOUT_KEY.toSorted());
  });

  it('have roles and levels: defined once however often it is sent, changed, granted, looked at, disabled', async () => {
    const role = { name: 'Clerk', capabilities: ['items:read'] };
    const once = { idempotencyKey: 'the clerk' };
    const [{ data: defined }, { data: again }] = [await admin.roles.define(role, once), await admin.roles.define(role, once)];
    expect([defined, again]).toEqual(Array(2).fill({ ...role, description: '', enabled: true }));
    expect((await admin.roles.change('Clerk', { description: 'Files things.' })).data).toMatchObject({ description: 'Files things.' });
    expect((await rowsOf(admin.roles.each({ limit: 3 }))).map(({ name }) => name)).toContain('Clerk');
    expect((await admin.autonomy.grant({ agentRole: 'Clerk', capability: 'items:update', level: 3 })).data).toMatchObject({ level: 3, cause: 'granted' });
    await admin.autonomy.grant({ agentRole: 'Clerk', capability: 'items:update', level: 1 });
    expect((await rowsOf(admin.autonomy.eachChange({ agentRole: 'Clerk', limit: 1 }))).map(({ from, to }) => [from, to])).toEqual([[3, 1], [null, 3]]);
    expect((await admin.autonomy.get()).grants).toMatchObject([{ agentRole: 'Clerk', level: 1, evidence: {} }]);
    expect((await admin.roles.disable('Clerk')).data).toMatchObject({ enabled: false });
    expect((await admin.roles.get('Clerk')).enabled).toBe(false);
    await expect(agent.roles.list()).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });

  it('have the constitution: drafted, tried, tried on the past, put in force and told in the feed', async () => {
    await admin.items('products').create({ sku: 'C-1', title: 'Pen' });
    const { data: draft } = await admin.constitution.draft({ evaluators: [{ id: 'long', type: 'rule', rule: 'min_length', field: 'title', value: 5 }] });
    expect((await admin.constitution.dryRun(draft.id, { collections: ['products'] })).data).toMatchObject({ hash: draft.hash, blocked: 1, findings: [{ evaluatorId: 'long' }] });
    expect((await admin.constitution.backtest(draft.id)).data).toMatchObject({ differing: 1 });
    expect((await admin.constitution.activate(draft.id)).data).toMatchObject({ status: 'active', added: ['long'] });
    expect(await rowsOf(admin.constitution.each({ status: 'active' }))).toMatchObject([{ id: draft.id }]);
    expect(await admin.constitution.get(draft.id)).toMatchObject({ status: 'active', lastDryRun: { blocked: 1 } });
    expect(await rowsOf(admin.activity.each({ kind: 'constitution.activated' }))).toMatchObject([{ actorId: expect.any(String), detail: {} }]);
  });

  it('have tools and policies: read by a run, tried, overridden and put back, and the rules behind a run', async () => {
    const run = await agent.goal({ title: 'Look around', agentName: 'robot', agentRole: 'Writer' });
    const names = (await rowsOf(run.eachTool({ limit: 20 }))).map(({ name }) => name);
    expect([names.includes('updateItem'), names.includes('createCollection')]).toEqual([true, false]);
    const call = { runId: run.runId, arguments: { collection: 'products', id: 'none', data: { title: 'Cheaper' } } };
    const decided = async () => (await agent.tools.dryRun('updateItem', call)).data.decision;
    expect(await decided()).toBe('execute');
    const rules = [{ name: 'titles', when: { tool: 'updateItem' }, then: { do: 'ask' as const } }];
    expect((await admin.policies.put({ rules })).data.rules).toMatchObject([{ name: 'titles', mode: 'enforce' }]);
    expect((await admin.policies.test({ cases: [{ tool: 'updateItem', expect: 'ask' }] })).data).toMatchObject({ failed: 0 });
    expect(await decided()).toBe('ask');
    await admin.policies.put({ rules: [] });
    await admin.tools.put('updateItem', { enabled: false });
    expect((await rowsOf(admin.tools.each({ disabled: true }))).filter(({ enabled }) => !enabled).map(({ name }) => name)).toEqual(['updateItem']);
    expect((await admin.tools.remove('updateItem')).data).toMatchObject({ enabled: true });
    expect((await admin.tools.get('updateItem')).override).toEqual({});
    const { policySnapshotHash } = (await run.get()).envelope.context;
    expect((await admin.replay.snapshot(policySnapshotHash)).data).toMatchObject({ hash: policySnapshotHash, reproduced: true });
  });

  it('have approvals: decided by an agent that may, and what can be learnt from people', async () => {
    const run = await agent.goal({ title: 'Clear out', agentName: 'robot' });
    const [reviewing, product] = [await agent.goal({ title: 'Check', agentName: 'checker', agentRole: 'FactChecker' }), admin.items('products')];
    const ask = async () => (await run.call('deleteItem', { collection: 'products', id: (await product.create({ sku: 'A-1', title: 'To go' })).data.id })).approvalId!;
    const verdict = { reviewerRunId: reviewing.runId, verdict: 'approve' as const, confidence: 0.9, reason: 'A leftover' };
    expect((await agent.approvals.agentDecide(await ask(), verdict)).data).toMatchObject({ status: 'approved', escalated: false, call: { status: 'executed' } });
    await admin.approvals.decide(await ask(), { decision: 'rejected', reason: 'Still sold' });
    expect((await admin.approvals.feedback()).data).toMatchObject([{ tool: 'deleteItem', rejected: 1, reasons: expect.arrayContaining(['Still sold']) }]);
    expect((await admin.approvals.stats()).data).toMatchObject([{ rejected: 1 }]);
    const types = (await run.events()).map(({ type }) => type);
    expect((await rowsOf(run.eachEvent({ limit: 2 }))).map(({ type }) => type)).toEqual(types);
    expect((await run.eventPage({ limit: 2 })).data).toHaveLength(2);
  });

  it('have the kill switch: a role that stops at once, what is frozen, and the way back', async () => {
    const run = await agent.goal({ title: 'Go on', agentName: 'robot', agentRole: 'Writer' });
    const { data: killed } = await admin.killSwitch.kill({ scope: 'role', targetId: 'Writer', reason: 'A drill' });
    expect(await run.call('getItem', { collection: 'products', id: 'none' })).toMatchObject({ status: 'denied', rule: 'kill_switch' });
    expect((await admin.killSwitch.get()).active).toMatchObject([{ freezeId: killed.freezeId, scope: 'role', inFlight: [] }]);
    expect((await admin.killSwitch.lift({ freezeId: killed.freezeId! })).data).toMatchObject({ lifted: true });
    const other = await agent.goal({ title: 'Go on', agentName: 'robot' });
    expect((await admin.killSwitch.kill({ scope: 'run', targetId: other.runId })).data).toMatchObject({ freezeId: null, scope: 'run' });
    expect(await other.waitForEnd()).toMatchObject({ status: 'cancelled' });
    expect((await admin.killSwitch.get()).active).toEqual([]);
  });
});
