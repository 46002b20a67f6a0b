import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { serverAudits } from 'graphql-http';
import { asking, type GraphqlAnswer } from './graphql-client';
import { Shape, withoutNothing } from './graphql-shape';
import { operationsOf } from './openapi';
import { testServer, type Api, type Body, type TestServer } from './server';
import { statementsOf } from './statements';

type Ask = (query: string, variables?: Record<string, unknown>, headers?: Record<string, string>) => Promise<GraphqlAnswer>;

const CREATE = 'mutation ($input: CreateGoalInput!, $key: String) { createGoal(input: $input, idempotencyKey: $key) { position data { goalId runId goalStatus run { status } goal { title } } } }';
const CALL = 'mutation ($runId: ID!, $input: RequestToolCallInput!) { requestToolCall(runId: $runId, input: $input) { position data { callId status result approvalId stagingId rule } } }';

describe('GraphQL', () => {
  let server: TestServer;
  let ask: Ask;
  let agent: Api & { readonly id: string };
  let shape: Shape;
  const ids: Record<string, string> = { collection: 'products', name: 'getItem' };

  beforeAll(async () => {
    server = await testServer();
    ask = asking(server.admin);
    agent = await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:write', 'items:delete', 'items:update'] });
    for (let n = 0; n < 12; n++) {
      const { goalId, runId } = (await agent('POST', 'agent/goals', { title: `Goal ${n}`, agentName: n % 2 ? 'robot' : 'helper' })).body.data;
      const { result } = (await agent('POST', `agent/runs/${runId}/tool-calls`, { tool: 'createItem', arguments: { collection: 'products', data: { sku: `G-${n}`, title: 'Pot' } } })).body.data;
      const { approvalId } = (await agent('POST', `agent/runs/${runId}/tool-calls`, { tool: 'deleteItem', arguments: { collection: 'products', id: result.id } })).body.data;
      Object.assign(ids, { goalId, runId, approvalId, id: result.id });
    }
    await server.admin('POST', 'agent/incidents', { source: 'human_report', severity: 'low', detail: 'A drill', runId: ids['runId'] });
    await server.admin('GET', `agent/incidents?minPosition=${await server.head()}`);
    await server.admin('GET', `agent/approvals?minPosition=${await server.head()}`);
    await server.admin('GET', `agent/runs?minPosition=${await server.head()}`);
    shape = await Shape.of(ask);
  });
  afterAll(() => server.close());

  const argumentsOf = (field: string) => shape.fieldsOf().find(({ name }) => name === field)!.args.filter(({ name }) => ids[name] !== undefined && !['runId', 'goalId'].includes(name) || ['run', 'goal', 'runEvents', 'runTools'].includes(field) && ['runId', 'goalId'].includes(name));
  const queryOf = (field: string, first?: number) => {
    const given = [...argumentsOf(field).map(({ name }) => `${name}: "${ids[name]}"`), ...(first ? [`first: ${first}`] : [])];
    const type = shape.typeOf(field);
    const inside = shape.fieldsOf(type).some(({ name }) => name === 'edges') ? `edges { node { ${shape.selection(type.replace('Connection', ''))} } } pageInfo { endCursor }` : shape.selection(type);
    return `{ ${field}${given.length > 0 ? `(${given.join(', ')})` : ''} { ${inside} } }`;
  };
  const dataOf = (answer: Body) => withoutNothing(answer?.edges ? answer.edges.map(({ node }: Body) => node) : answer);

  it('[GQL-001] has a connection for every list of the API, which shows what the list shows', async () => {
    const document = (await server.admin('GET', '/openapi.json')).body;
    const lists = operationsOf(document).filter(({ method, operation }) => method === 'GET' && (operation.responses as Body)['200']?.content?.['application/json']?.schema?.properties?.data?.type === 'array');
    const connections = shape.fieldsOf().filter(({ name }) => shape.typeOf(name).endsWith('Connection')).map(({ name }) => name);
    const pieces = { autonomyGrants: ['agent/autonomy', 'grants'], policyRules: ['agent/policies', 'rules'], freezes: ['agent/kill-switch', 'active'] } as const;
    expect(connections.length).toBe(lists.length + Object.keys(pieces).length);
    const roots = { goals: 'agent/goals', runs: 'agent/runs', approvals: 'agent/approvals', staged: 'agent/staged', incidents: 'agent/incidents', autonomyPromotions: 'agent/autonomy/promotions', autonomyHistory: 'agent/autonomy/history', tools: 'agent/tools', intents: 'agent/intents', roles: 'agent/roles', constitution: 'agent/constitution', artifacts: 'agent/artifacts', memory: 'agent/memory', items: 'items/products', collections: 'collections', deskFiles: 'desk/files', users: 'users', apiKeys: 'api-keys', cdcSubscriptions: 'cdc/subscriptions', deployments: 'deployments', notifications: 'notifications', activity: 'agent/activity', auditEvents: 'audit/events', auditCheckpoints: 'audit/checkpoints', opsQueues: 'ops/queues', opsDeadLetters: 'ops/dead-letters', flows: 'agent/flows', approvalsFeedback: 'agent/approvals/feedback', approvalsStats: 'agent/approvals/stats', deploymentsTargets: 'deployments/targets', notificationsDeliveries: 'notifications/deliveries', opsParkedEvents: 'ops/parked-events', itemPins: `items/products/${ids['id']}/pins`, itemVersions: `items/products/${ids['id']}/versions`, runTools: `agent/runs/${ids['runId']}/tools`, runEvents: `agent/runs/${ids['runId']}/events`, itemRevisions: `items/products/${ids['id']}/revisions` };
    for (const [field, path] of Object.entries(roots)) {
      const [shown, rest] = [await ask(queryOf(field)), await server.admin('GET', path)];
      expect([field, shown.errors, dataOf(shown.data[field])]).toEqual([field, undefined, withoutNothing(rest.body.data)]);
    }
    await server.admin('PUT', 'agent/autonomy/grants', { agentRole: 'Writer', capability: 'items:delete', level: 1 });
    await server.admin('PUT', 'agent/policies', { rules: [{ name: 'no drafts', when: { tool: 'nothing' }, then: { do: 'ask' } }] });
    for (const [field, [path, at]] of Object.entries(pieces)) {
      const [shown, rest] = [await ask(queryOf(field)), await server.admin('GET', path)];
      expect([field, shown.errors, dataOf(shown.data[field])]).toEqual([field, undefined, withoutNothing(rest.body.data[at])]);
    }
  });

  it('shows single records and settings as the API does', async () => {
    const singles = { goal: `agent/goals/${ids['goalId']}`, run: `agent/runs/${ids['runId']}`, approval: `agent/approvals/${ids['approvalId']}`, item: `items/products/${ids['id']}`, tool: 'agent/tools/getItem', settings: 'settings', autonomy: 'agent/autonomy', policies: 'agent/policies', killSwitch: 'agent/kill-switch', notificationsPreferences: 'notifications/preferences' };
    for (const [field, path] of Object.entries(singles)) {
      const [shown, rest] = [await ask(queryOf(field)), await server.admin('GET', path)];
      expect([field, shown.errors, dataOf(shown.data[field])]).toEqual([field, undefined, withoutNothing(rest.body.data)]);
    }
  });

  it('property: whatever is asked for, page by page, both ways give the same', async () => {
    const reads = fc.oneof(
      fc.record({ field: fc.constant('goals'), path: fc.constant('agent/goals'), filter: fc.constantFrom<Record<string, string>>({}, { status: 'open' }, { agentRole: 'Nobody' }) }),
      fc.record({ field: fc.constant('runs'), path: fc.constant('agent/runs'), filter: fc.constantFrom<Record<string, string>>({}, { status: 'awaiting_approval' }, { agentName: 'robot' }) }),
      fc.record({ field: fc.constant('approvals'), path: fc.constant('agent/approvals'), filter: fc.constantFrom<Record<string, string>>({}, { status: 'pending' }, { domain: 'schema' }) }),
      fc.record({ field: fc.constant('items'), path: fc.constant('items/products'), filter: fc.constantFrom<Record<string, string>>({}, { filter: '{"title":"Pot"}' }, { sort: 'id' }, { sort: 'nothing' }) }),
    );
    await fc.assert(
      fc.asyncProperty(reads, fc.integer({ min: 4, max: 12 }), async ({ field, path, filter }, first) => {
        let after: string | null = null;
        for (let page = 0; page < 3; page++) {
          const given = [...Object.entries(filter).map(([name, value]) => `${name}: ${name === 'status' ? value : JSON.stringify(value)}`), `first: ${first}`, ...(field === 'items' ? ['collection: "products"'] : []), ...(after === null ? [] : [`after: ${JSON.stringify(after)}`])];
          const type = shape.typeOf(field).replace('Connection', '');
          const shown: GraphqlAnswer = await ask(`{ ${field}(${given.join(', ')}) { edges { node { ${shape.selection(type)} } } pageInfo { endCursor hasNextPage } } }`);
          const rest = await server.admin('GET', `${path}?${new URLSearchParams({ ...filter, limit: String(first), ...(after !== null && { cursor: after }) })}`);
          if (rest.status !== 200) return expect(shown.errors![0].extensions).toEqual({ code: rest.body.code, status: rest.status, facts: rest.body.facts });
          expect([dataOf(shown.data[field]), shown.data[field].pageInfo.endCursor]).toEqual([withoutNothing(rest.body.data), rest.body.nextCursor]);
          after = rest.body.nextCursor as string | null;
          if (after === null) return;
        }
      }),
      { numRuns: 20 },
    );
  });

  it('[GQL-002] creates goals, requests tool calls, decides, vetoes and freezes, with the answers of the API', async () => {
    const robot = asking(agent);
    const input = { title: 'By GraphQL', agentName: 'robot', agentRole: 'Writer', approvalPolicy: 'before_commit' };
    const made = await robot(CREATE, { input, key: 'once' });
    expect([made.errors, made.data.createGoal]).toEqual([undefined, { position: expect.stringMatching(/^\d+$/), data: expect.objectContaining({ goalStatus: 'running', goal: { title: 'By GraphQL' }, run: { status: expect.any(String) } }) }]);
    const { runId, goalId } = made.data.createGoal.data;
    // The same key over the other transport: the same answer, no second goal.
    expect((await agent('POST', 'agent/goals', input, { 'idempotency-key': 'once' })).body.data).toMatchObject({ runId, goalId });
    expect((await robot(CREATE, { input: { ...input, title: 'Another' }, key: 'once' })).errors![0].extensions.code).toBe('IDEMPOTENCY_MISMATCH');

    const own = (await robot(CREATE, { input: { title: 'Delete', agentName: 'robot' } })).data.createGoal.data.runId;
    const asked = (await robot(CALL, { runId: own, input: { tool: 'deleteItem', arguments: { collection: 'products', id: ids['id'] } } })).data.requestToolCall.data;
    expect(asked).toMatchObject({ status: 'pending_approval', approvalId: expect.stringMatching(/^appr_/) });
    const DECIDE = 'mutation ($id: ID!, $input: DecideApprovalInput!) { decideApproval(approvalId: $id, input: $input) { position data { approvalId status } } }';
    const refused = await robot(DECIDE, { id: asked.approvalId, input: { decision: 'approved' } });
    const { body: problem } = await agent('POST', `agent/approvals/${asked.approvalId}/decide`, { decision: 'approved' });
    expect([refused.errors![0].message, refused.errors![0].extensions]).toEqual([problem.detail, { code: 'FORBIDDEN', status: 403 }]);
    expect((await ask(DECIDE, { id: asked.approvalId, input: { decision: 'approved' } })).data.decideApproval.data).toEqual({ approvalId: asked.approvalId, status: 'approved' });
    expect((await ask(DECIDE, { id: asked.approvalId, input: { decision: 'approved' } })).errors![0].extensions).toMatchObject({ code: 'ALREADY_DECIDED', status: 409, facts: { status: 'approved' } });

    await server.admin('PUT', 'settings', { contentOs: { vetoWindow: true } });
    await server.admin('PUT', 'agent/autonomy/grants', { agentRole: 'Writer', capability: 'items:update', level: 3 });
    const { id } = (await server.admin('POST', 'items/products', { data: { sku: 'V', title: 'Before' } })).body.data;
    const { stagingId } = (await robot(CALL, { runId, input: { tool: 'updateItem', arguments: { collection: 'products', id, data: { title: 'After' } } } })).data.requestToolCall.data;
    const VETO = 'mutation ($id: ID!) { vetoStaged(stagingId: $id, input: { reason: "No" }) { data { status } } }';
    expect((await robot(VETO, { id: stagingId })).errors![0].extensions.code).toBe('FORBIDDEN');
    expect((await ask(VETO, { id: stagingId })).data.vetoStaged.data.status).toBe('vetoed');

    const frozen = (await ask('mutation { freeze(input: { scope: role, targetId: "Writer", reason: "Drill" }) { position data { freezeId scope effectiveAt } } }')).data.freeze;
    expect(frozen).toEqual({ position: frozen.data.effectiveAt, data: { freezeId: expect.any(String), scope: 'role', effectiveAt: expect.any(String) } });
    expect((await robot(CREATE, { input })).errors![0].extensions).toMatchObject({ code: 'FROZEN', status: 423 });
    await ask(`mutation { liftFreeze(input: { scope: "role", targetId: "Writer" }) { position } }`);
    expect((await robot(CREATE, { input })).errors).toBeUndefined();
  });

  it('[GQL-004] refuses what is too deep or too costly before anything of it runs', async () => {
    const head = await server.head();
    const pages = `{ ${Array.from({ length: 10 }, (_, n) => `r${n}: runs(first: 200) { edges { node { id } } }`).join(' ')} }`;
    const costly = await ask(pages);
    const deep = await ask(`mutation { createGoal(input: { title: "Deep", agentName: "x" }) { data { goal { ${'parentGoal { '.repeat(10)} id ${'} '.repeat(10)} } } } }`);
    expect([costly, deep].map(({ data, errors }) => [data, errors!.map(({ extensions }) => extensions.code)])).toEqual([[undefined, ['VALIDATION_FAILED']], [undefined, ['VALIDATION_FAILED']]]);
    expect([costly.errors![0].message, deep.errors![0].message]).toEqual([expect.stringContaining('points; 2000 are taken'), expect.stringContaining('14 fields deep; 12 are taken')]);
    expect((await server.log()).filter(({ type, position }: Body) => type === 'GoalCreated' && BigInt(position as string) > head)).toEqual([]);
    expect(await statementsOf(() => ask(pages))).toBe(await statementsOf(() => ask('{ __typename }')));
  });

  it('[GQL-005] reads what a page leads to with as many statements for one node as for all', async () => {
    const page = (first: number) => () => ask(`{ approvals(first: ${first}) { edges { node { id run { id goal { id title run { status } } } goal { title } } } } }`);
    const { data, errors } = await page(12)();
    expect([errors, data.approvals.edges.length, new Set(data.approvals.edges.map(({ node }: Body) => node.run.id)).size]).toEqual([undefined, 12, expect.any(Number)]);
    expect(new Set(data.approvals.edges.map(({ node }: Body) => node.run.goal.id)).size).toBeGreaterThan(10);
    expect(data.approvals.edges.every(({ node }: Body) => node.run.goal.title === node.goal.title && node.run.goal.run.status)).toBe(true);
    const [one, all] = [await statementsOf(page(1)), await statementsOf(page(12))];
    expect(one).toBeGreaterThan(3);
    expect(all).toBe(one);
  });

  it('[GQL-006] passes the audits of graphql-http', async () => {
    const fetchFn = (url: string, init: RequestInit = {}) => fetch(url, { ...init, headers: { ...(init.headers as object), authorization: `Bearer ${server.admin.key}` } });
    const results = await Promise.all(serverAudits({ url: `${server.url}/graphql`, fetchFn }).map((audit) => audit.fn()));
    expect(results.length).toBeGreaterThan(50);
    expect(results.filter(({ status }) => status !== 'ok').map(({ id, name, status, ...rest }) => [id, name, status, (rest as Body).reason])).toEqual([]);
  });

  describe('at its door', () => {
    const raw = (method: string, body?: string, headers: Record<string, string> = {}, search = '') => fetch(`${server.url}/graphql${search}`, { method, headers, ...(body !== undefined && { body }) });
    const json = { 'content-type': 'application/json' };
    const schemaQuestion = JSON.stringify({ query: '{ __schema { types { name } } }' });

    it('knows nobody without a key, not even for the schema, and no site that is not theirs', async () => {
      const answer = await raw('POST', schemaQuestion, json);
      expect([answer.status, answer.headers.get('www-authenticate'), await answer.json()]).toEqual([401, expect.stringContaining('Bearer'), { errors: [{ message: expect.any(String), extensions: { code: 'UNAUTHENTICATED', status: 401 } }] }]);
      expect(await ask('{ __typename }', undefined, { 'x-site-id': 'site_other' })).toMatchObject({ status: 403, errors: [{ extensions: { code: 'CROSS_SITE' } }] });
    });

    it('takes no bodies but JSON of at most 1 MiB, no mutation by GET, and shows no page', async () => {
      const mine = { authorization: `Bearer ${server.admin.key}` };
      const answers = await Promise.all([
        raw('POST', 'query=%7B__typename%7D', { ...mine, 'content-type': 'application/x-www-form-urlencoded' }),
        raw('POST', '{ __typename }', { ...mine, 'content-type': 'text/plain' }),
        raw('POST', JSON.stringify({ query: `{ __typename } # ${'x'.repeat(1_100_000)}` }), { ...mine, ...json }),
        raw('GET', undefined, mine, `?query=${encodeURIComponent('mutation { freeze(input: { scope: site }) { position } }')}`),
        raw('GET', undefined, { ...mine, accept: 'text/html' }),
        fetch(`${server.url}/graphiql`, { headers: mine }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([415, 415, 413, 405, 400, 404]);
      expect(answers[3]!.headers.get('allow')).toBe('POST');
      for (const answer of answers) expect([answer.headers.get('content-type'), await answer.text()]).toEqual([expect.stringContaining('json'), expect.not.stringMatching(/\bat .*\.js|node_modules/)]);
    });

    it('opens to a key what the API opens to it, and answers the rest beside the refusal', async () => {
      const { data, errors } = await asking(agent)('{ goals(first: 1) { edges { node { title } } } opsQueues { position } auditEvents { position } }');
      expect([data.goals.edges.length, data.opsQueues, data.auditEvents]).toEqual([1, null, null]);
      expect(errors!.map(({ path, extensions }) => [path, extensions.code])).toEqual([[['opsQueues'], 'FORBIDDEN'], [['auditEvents'], 'FORBIDDEN']]);
    });

    it('answers for ids of another site, and for ids that are steps in a path, what it answers for unknown ones', async () => {
      const { adminKey } = (await server.admin('POST', 'sites', { name: 'Other' })).body.data;
      const stranger = asking(server.as(adminKey as string));
      for (const field of ['run(runId: $id) { status }', 'runEvents(runId: $id) { position }']) {
        const answers = await Promise.all([ids['runId']!, 'run_none', '..', ''].map((id) => stranger(`query ($id: ID!) { ${field} }`, { id })));
        for (const answer of answers) expect(answer).toEqual(answers[0]);
        expect(answers[0]!.errors!.map(({ extensions }) => extensions)).toEqual([{ code: 'FORBIDDEN', status: 403 }]);
      }
      expect((await stranger('{ runs { edges { node { id } } } }')).data.runs.edges).toEqual([]);
    });

    it('opens to the token of a run what the API opens to it', async () => {
      const { token } = (await agent('POST', `agent/runs/${ids['runId']}/token`, {})).body.data;
      const answer = await asking(server.as(token as string))('query ($id: ID!) { run(runId: $id) { runId goal { title } } goals { position } }', { id: ids['runId'] });
      expect([answer.data, answer.errors!.map(({ extensions }) => extensions.code)]).toEqual([{ run: { runId: ids['runId'], goal: null }, goals: null }, expect.arrayContaining(['FORBIDDEN'])]);
    });

    it('waits for a position, and says where it is when that is out of reach', async () => {
      const { data } = await ask(CREATE, { input: { title: 'Seen', agentName: 'robot' } });
      const { position } = data.createGoal;
      expect((await ask(`{ goals(first: 1, minPosition: "${position}") { edges { node { title } } } }`)).data.goals.edges[0].node.title).toBe('Seen');
      expect((await ask('{ goals(minPosition: "x") { position } }')).errors![0].extensions).toMatchObject({ code: 'VALIDATION_FAILED', status: 422, facts: { errors: [{ pointer: '/minPosition' }] } });
      expect((await ask('{ goals(first: 201) { position } }')).errors![0].extensions.code).toBe('VALIDATION_FAILED');
    });
  });
});
