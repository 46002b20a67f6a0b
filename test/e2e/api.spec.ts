import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PROBLEM_CODES } from '@app/kernel';
import { z } from 'zod';
import { rawServer, rawTool, type RawServer } from '../../libs/tool-mcp/src/testing';
import { putLetter } from './dead-letters';
import { Documented, operationsOf, refsIn, resolved } from './openapi';
import { renderedBy } from './rendered';
import { recordingRoutes, type Route } from './routes';
import { testServer, type Api, type Answer, type Body, type TestServer } from './server';

/** The routes that the contract names as meta, and the pages for people. */
const META = ['/openapi.json', '/asyncapi.json', '/llms.txt', '/docs', '/health/live', '/health/ready', '/metrics'];
const PAGES = ['/studio'];
/** Every read and the everyday commands once more, in a language of its own: `graphql.spec.ts`. */
const GRAPHQL = '/graphql';
/** They take a body because they ask much, and write nothing. */
const QUESTIONS = ['POST agent/policies/test', 'POST agent/tools/:name/dry-run', 'POST agent/replay/backtest', 'POST agent/intents/compile'];
/** One needs a call whose process was killed, the other races with the worker that settles goals by itself; `lost-worker.spec.ts` and `goal-tree.spec.ts` send them. MCP answers in a protocol of its own: `mcp-endpoint.spec.ts`; links and replays of messages need one that was sent: `notifications.spec.ts`; an import takes lines, an answer an edit that pinned: `catalogue.spec.ts`, `content-races.spec.ts`. */
const ELSEWHERE = ['POST agent/runs/:runId/tool-calls/:callId/resolve', 'POST agent/goals/:goalId/settle', 'POST mcp', 'DELETE mcp', 'POST decisions/:token', 'POST notifications/deliveries/:deliveryId/replay', 'POST items/:collection/import', 'POST items/:collection/:id/pins/answer'];
/** What they write is not in the log: the lease of a worker, or a token that nobody keeps. */
const NO_EVENTS = ['agent/worker/poll', 'agent/worker/calls/:leaseId/heartbeat', 'agent/worker/calls/:leaseId/complete', 'agent/worker/calls/:leaseId/fail', 'agent/runs/:runId/token', 'audit/checkpoints'].map((path) => `POST ${path}`);
/** Reads of a moment, which the caller has to name. */
const PAST = ['/api/v1/agent/runs/:runId/at', '/api/v1/agent/approvals/:approvalId/at', '/api/v1/agent/autonomy/at', '/api/v1/agent/replay/governance', '/api/v1/agent/replay/streams/:streamId'];
/** Names that every site has, where a route takes a name. */
const NAMES: Readonly<Record<string, string>> = { '/api/v1/agent/tools/:name': 'getItem', '/api/v1/agent/roles/:name': 'Writer' };

describe('The API as a whole', () => {
  let server: TestServer;
  let routes: readonly Route[];
  let documented: Documented;

  beforeAll(async () => {
    [server, routes] = await recordingRoutes(() => testServer());
    documented = new Documented((await server.admin('GET', '/openapi.json')).body);
  });
  afterAll(() => server.close());

  it('[API-001] lives under /api/v1, except for the meta routes', () => {
    expect(routes.length).toBeGreaterThan(40);
    const outside = routes.filter(({ path }) => !path.startsWith('/api/v1/'));
    expect(outside.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([...[...META, ...PAGES, GRAPHQL].map((path) => `GET ${path}`), `POST ${GRAPHQL}`].toSorted());
  });

  it('[API-028] is described by OpenAPI 3.1, made from the zod schemas, with every route', () => {
    const { document } = documented;
    expect([document.openapi, document.info]).toEqual([expect.stringMatching(/^3\.1\.\d+$/), { title: 'Agent Harness', version: expect.any(String), description: expect.any(String), contact: {} }]);
    const operations = operationsOf(document);
    const described = routes.filter(({ path }) => !['/openapi.json', '/asyncapi.json', '/llms.txt', '/docs', ...PAGES, GRAPHQL].includes(path));
    expect(operations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
      described.map(({ method, path }) => `${method} ${path.replace(/:([A-Za-z]+)/g, '{$1}')}`).toSorted(),
    );
    expect(refsIn(document).filter((ref) => resolved(document, ref) === undefined)).toEqual([]);
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
    for (const { path, operation } of operations) {
      const parameters = (operation.parameters ?? []).map((one: Body) => (one.$ref ? resolved(document, one.$ref as string) : one)) as Body[];
      const inPath = parameters.filter((one) => one.in === 'path').map(({ name, required }) => [name, required]);
      expect([path, ...inPath.toSorted()]).toEqual([path, ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, true]).toSorted()]);
      expect(Object.keys(operation.responses as object).length).toBeGreaterThan(1);
      for (const one of parameters) expect(documented.faultOf(one.schema as object)).toBeUndefined();
    }
  });

  it('[API-028] says of each named schema what its zod schema says', () => {
    const { Problem: _byHand, ...components } = documented.document.components.schemas as Record<string, Body>;
    const known = (io: 'input' | 'output') =>
      z.toJSONSchema(z.globalRegistry, { uri: (id) => `#/components/schemas/${id}`, unrepresentable: 'any', target: 'draft-2020-12', io }).schemas as Record<string, Body>;
    const [input, output] = [known('input'), known('output')];
    const shape = (schema: Body) => JSON.stringify([schema.type, Object.keys(schema.properties ?? {}), schema.required, schema.additionalProperties]);
    for (const [name, schema] of Object.entries(components)) {
      expect([name, documented.faultOf(schema as object)]).toEqual([name, undefined]);
      if (!name.startsWith('__')) expect([name, [input, output].map((made) => made[name] && shape(made[name]))]).toEqual([name, expect.arrayContaining([shape(schema)])]);
    }
    // Nameless schemas get a number each time one is converted, so two of one name must say the same.
    const nameless = Object.entries(components).filter(([name]) => name.startsWith('__')).map(([name, schema]) => JSON.stringify(schema).replaceAll(name, 'itself'));
    expect(new Set(nameless).size).toBe(1);
    const bodies = operationsOf(documented.document).flatMap(({ operation }) => (operation.requestBody ? refsIn(operation.requestBody) : []));
    expect(bodies.length).toBeGreaterThan(10);
  });

  it('[API-030] is shown at /docs, operation by operation', async () => {
    const answer = await fetch(`${server.url}/docs`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const says = await renderedBy(await answer.text(), server.url);
    const operations = operationsOf(documented.document);
    expect(says('title')).toContain('Agent Harness');
    expect(says('about')).toContain(`${operations.length} operations`);
    for (const { method, path } of operations) expect(says('operations')).toMatch(new RegExp(`${method} +${path.replace(/[{}]/g, '\\$&')} `));
  });

  describe('when written to', () => {
    let agent: Api;
    const made: Record<string, string> = {};
    const take = (name: string, pick: (data: Body) => string) => (data: Body) => void (made[name] = pick(data));

    let upstream: RawServer;
    beforeAll(async () => {
      upstream = await rawServer([rawTool('search')]);
      agent = await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:write', 'items:delete'] });
    });
    afterAll(() => upstream.close());

    const ASK_TO_DELETE = (callId: string): [string, string, unknown, object] => [
      'POST', 'agent/runs/:runId/tool-calls', { tool: 'deleteItem', arguments: { collection: 'shelves', id: 'ITEM' }, callId }, { then: take('approvalId', ({ approvalId }) => approvalId as string) },
    ];

    const CLIENT_TOOL = { kind: 'client', description: 'Runs in the agent', inputSchema: { type: 'object' }, requiredCapabilities: ['items:read'], risk: 'read' };
    const INTENT = { name: 'Labels', collection: 'shelves', rules: [{ type: 'field_constraint', field: 'label', minLength: 100 }], schedule: '0 3 1 1 *' };
    const BROWSER = { endpoint: 'https://push.invalid/1', keys: { p256dh: 'BH4-nBj7QC4GKD5usdyu1tc_sHBdfydCuv_M-BBbA3E29DofzuaIuaLVtifMHazY9kiJ8gVom17ImB17TeV3s1Y', auth: 'A'.repeat(22) } };
    const SUBSCRIPTION = { name: 'Index', target: { type: 'webhook', url: 'https://index.invalid' }, types: ['SiteCreated'] };
    /** Every route that writes; `:name` stands for what an earlier answer brought. */
    const WRITES: readonly [string, string, unknown, (Body & object)?][] = [
      ['POST', 'sites', { name: 'Another' }],
      ['POST', 'api-keys', { name: 'k', kind: 'service', capabilities: [] }, { then: take('keyId', ({ id }) => id as string) }],
      ['POST', 'api-keys/:keyId/rotate', {}],
      ['PUT', 'api-keys/:keyId', { capabilities: ['items:read'] }],
      ['DELETE', 'api-keys/:keyId', undefined],
      ['POST', 'users', { email: 'cleo@example.com', name: 'Cleo' }, { then: take('userId', ({ id }) => id as string) }],
      ['PATCH', 'users/:userId', { name: 'Cleo C.' }],
      ['DELETE', 'users/:userId', undefined],
      ['POST', 'users', { email: 'dan@example.com', name: 'Dan' }, { then: take('userId', ({ id }) => id as string) }],
      ['PUT', 'agent/tools/:name', { timeoutMs: 900 }, { path: 'agent/tools/getItem' }],
      ['DELETE', 'agent/tools/:name', undefined, { path: 'agent/tools/getItem' }],
      ['PUT', 'settings', { outbound: { allowHosts: ['127.0.0.1'] } }],
      ['POST', 'agent/tools/import/mcp', { server: 'docs', transport: { type: 'http', url: 'UPSTREAM' } }, { admin: true }],
      ['PUT', 'settings', { vetoWindowMs: 60_000, contentOs: { vetoWindow: true, agentReview: true } }],
      ['POST', 'agent/roles', { name: 'Clerk', description: '', capabilities: ['items:read'] }, { admin: true }],
      ['PUT', 'agent/roles/:name', { capabilities: [] }, { path: 'agent/roles/Clerk' }],
      ['DELETE', 'agent/roles/:name', undefined, { path: 'agent/roles/Clerk' }],
      ['PUT', 'agent/policies', { rules: [{ name: 'none at night', when: { time: { from: '23:00', to: '05:00' } }, then: { do: 'capLevel', level: 1 } }] }],
      ['PUT', 'agent/autonomy/grants', { agentRole: 'Writer', capability: 'items:update', level: 3 }],
      ['POST', 'agent/kill-switch', { scope: 'role', targetId: 'Writer', reason: 'Drill' }, { admin: true }],
      ['POST', 'agent/kill-switch/lift', { scope: 'role', targetId: 'Writer' }, { admin: true }],
      ['POST', 'agent/constitution', { evaluators: [{ id: 'label', type: 'rule', rule: 'required', field: 'label' }] }, { admin: true }],
      ['POST', 'agent/constitution', { evaluators: [{ id: 'title', type: 'rule', rule: 'required', field: 'title' }] }, { admin: true, then: take('constitutionId', ({ id }) => id as string) }],
      ['POST', 'agent/constitution/:constitutionId/dry-run', {}, { admin: true }],
      ['POST', 'agent/constitution/:constitutionId/backtest', {}, { admin: true }],
      ['POST', 'agent/constitution/:constitutionId/activate', undefined, { admin: true }],
      ['POST', 'collections', { name: 'shelves', fields: [{ name: 'label', type: 'text' }] }],
      ['POST', 'collections/:name/fields', { name: 'rows', type: 'integer' }, { path: 'collections/shelves/fields' }],
      ['POST', 'items/:collection', { data: { label: 'Left' } }, { path: 'items/shelves', then: take('id', ({ id }) => id as string) }],
      ['PATCH', 'items/:collection/:id', { data: { rows: 3 } }, { path: 'items/shelves/:id' }],
      ['POST', 'items/:collection/:id/revisions/:revision/restore', undefined, { path: 'items/shelves/:id/revisions/1/restore' }],
      ['POST', 'items/:collection/:id/versions', { name: 'spring', data: { rows: 4 } }, { path: 'items/shelves/:id/versions' }],
      ['PATCH', 'items/:collection/:id/versions/:version', { data: { rows: 5 } }, { path: 'items/shelves/:id/versions/spring' }],
      ['POST', 'items/:collection/:id/versions/:version/promote', undefined, { path: 'items/shelves/:id/versions/spring/promote' }],
      ['POST', 'items/:collection/:id/versions', { name: 'summer' }, { path: 'items/shelves/:id/versions' }],
      ['DELETE', 'items/:collection/:id/versions/:version', undefined, { path: 'items/shelves/:id/versions/summer' }],
      ['PATCH', 'collections/:name', { description: 'Where things are' }, { path: 'collections/shelves' }],
      ['PATCH', 'collections/:name/fields/:field', { constraints: { max: 9 } }, { path: 'collections/shelves/fields/rows' }],
      ['POST', 'collections', { name: 'boxes', fields: [{ name: 'shelf', type: 'text' }] }],
      ['POST', 'collections/:name/relations', { name: 'standsOn', field: 'shelf', to: 'shelves' }, { path: 'collections/boxes/relations' }],
      ['DELETE', 'collections/:name/relations/:relation', undefined, { path: 'collections/boxes/relations/standsOn' }],
      ['DELETE', 'collections/:name/fields/:field', undefined, { path: 'collections/boxes/fields/shelf' }],
      ['DELETE', 'collections/:name', undefined, { path: 'collections/boxes' }],
      ['POST', 'items/:collection/:id/pins', { fields: ['label', 'rows'] }, { path: 'items/shelves/:id/pins' }],
      ['DELETE', 'items/:collection/:id/pins/:field', undefined, { path: 'items/shelves/:id/pins/rows' }],
      ['DELETE', 'items/:collection/:id/pins', undefined, { path: 'items/shelves/:id/pins' }],
      ['PUT', 'agent/policies', { rules: [] }],
      ['POST', 'agent/goals', { title: 'Change', agentName: 'robot', approvalPolicy: 'before_commit' }, { admin: true, then: take('runId', ({ runId }) => runId as string) }],
      ...['veto', 'commit-now'].flatMap((act): [string, string, unknown, object?][] => [
        ['POST', 'agent/runs/:runId/tool-calls', { tool: 'updateItem', arguments: { collection: 'shelves', id: 'ITEM', data: { label: 'Right' } } }, { admin: true, then: take('stagingId', ({ stagingId }) => stagingId as string) }],
        ['POST', `agent/staged/:stagingId/${act}`, act === 'veto' ? {} : undefined, { admin: true }],
      ]),
      ['POST', 'agent/goals', { title: 'Do', agentName: 'robot', task: { skillName: 'listCollections', arguments: {} } }, { then: take('taskRunId', ({ runId }) => runId as string) }],
      ['POST', 'agent/runs/:runId/retry', undefined, { path: 'agent/runs/:taskRunId/retry' }],
      ['POST', 'agent/goals', { title: 'Do', agentName: 'robot' }, { then: take('runId', ({ runId }) => runId as string) }],
      ['POST', 'agent/runs/:runId/tool-calls', { tool: 'getItem', arguments: { collection: 'shelves', id: 'none' } }],
      ['POST', 'agent/runs/:runId/tool-calls', { tool: 'nothing', arguments: {}, callId: 'nothing' }],
      ['POST', 'agent/runs/:runId/fork', { atCallId: 'nothing' }],
      ['POST', 'agent/runs/:runId/tool-calls', { tool: 'deleteItem', arguments: { collection: 'shelves', id: 'ITEM' } }, { then: take('approvalId', ({ approvalId }) => approvalId as string) }],
      ['POST', 'agent/goals', { title: 'Review', agentName: 'checker', agentRole: 'FactChecker' }, { admin: true, then: take('reviewerRunId', ({ runId }) => runId as string) }],
      ['POST', 'agent/approvals/:approvalId/agent-decide', { reviewerRunId: 'REVIEWER', verdict: 'reject', confidence: 1, reason: 'No' }, { admin: true }],
      ['POST', 'agent/approvals/:approvalId/decide', { decision: 'rejected', reason: 'No' }, { admin: true }],
      ['POST', 'api-keys', { name: 'Bea', kind: 'human', capabilities: ['approvals:decide'] }, { then: take('personId', ({ id }) => id as string) }],
      ...[
        ['answer', { text: 'Why?' }], ['extend', { until: new Date(Date.now() + 30 * 24 * 3_600_000).toISOString() }], ['escalate', { reason: 'Large' }],
        ['delegate', { to: 'PERSON' }],
      ].flatMap(([act, body], n): [string, string, unknown, object?][] => [
        ...(n === 0 ? [ASK_TO_DELETE('acts')] : []), ['POST', `agent/approvals/:approvalId/${act as string}`, body, { admin: true }],
      ]),
      ASK_TO_DELETE('batch'),
      ['POST', 'agent/approvals/decide', { decisions: [{ approvalId: 'APPROVAL', decision: 'rejected', reason: 'No' }] }, { admin: true }],
      ASK_TO_DELETE('legacy'),
      ['POST', 'ai/approvals/:approvalId/decide', { decision: 'rejected' }],
      ['POST', 'agent/incidents', { source: 'human_report', severity: 'low', detail: 'A drill' }, { admin: true, then: take('incidentId', ({ id }) => id as string) }],
      ['POST', 'agent/incidents/:incidentId/resolve', { note: 'It was a drill' }, { admin: true }],
      ['PUT', 'settings', { promotion: { streak: 1, decided: 1, rate: 0 } }],
      ['POST', 'agent/goals', { title: 'Earn', agentName: 'robot', agentRole: 'Writer', approvalPolicy: 'before_execute', task: { skillName: 'createItem', arguments: { collection: 'products', data: { sku: 'E-1', title: 'Earned' } } } }, { admin: true, then: take('approvalId', ({ result }) => result.approvalId as string) }],
      ['POST', 'agent/approvals/:approvalId/decide', { decision: 'approved' }, { admin: true }],
      ['POST', 'agent/autonomy/promotions/check', undefined, { admin: true, then: take('promotionId', ({ proposed }) => proposed[0] as string) }],
      ['POST', 'agent/autonomy/promotions/:promotionId/decide', { decision: 'approved' }, { admin: true }],
      ['POST', 'agent/flows', { name: 'Upkeep', trigger: { on: 'cron', expression: '0 3 * * *' }, operations: [{ do: 'trust-promote-check' }], capabilities: ['autonomy:write'] }, { admin: true, then: take('oldFlowId', ({ id }) => id as string) }],
      ['DELETE', 'agent/flows/:flowId', undefined, { path: 'agent/flows/:oldFlowId' }],
      ['POST', 'agent/flows', { name: 'Upkeep', trigger: { on: 'cron', expression: '0 3 * * *' }, operations: [{ do: 'trust-promote-check' }], capabilities: ['autonomy:write'] }, { admin: true, then: take('flowId', ({ id }) => id as string) }],
      ['PUT', 'agent/flows/:flowId', { name: 'Daily upkeep' }],
      ['POST', 'agent/flows/:flowId/run', undefined, { admin: true }],
      ['POST', 'agent/memory', { content: 'Shelves are blue' }, { admin: true, then: take('memoryId', ({ id }) => id as string) }],
      ['POST', 'agent/memory/:memoryId/redact', { texts: ['blue'] }, { admin: true }],
      ['DELETE', 'agent/memory/:memoryId', undefined, { admin: true }],
      ['POST', 'agent/memory', { content: 'Shelves are green' }, { admin: true, then: take('memoryId', ({ id }) => id as string) }],
      ['POST', 'privacy/forget', { subject: 'MEMORY' }],
      ['POST', 'agent/memory', { content: 'Shelves are red' }, { admin: true, then: take('memoryId', ({ id }) => id as string) }],
      ['PUT', 'notifications/channels', { channels: [{ name: 'ops', type: 'webhook', url: 'https://hooks.invalid', kinds: ['goal'] }] }],
      ['PUT', 'notifications/preferences', { kinds: { push: [] } }],
      ['POST', 'notifications/push-subscriptions', BROWSER, { then: take('pushId', ({ subscriptionId }) => subscriptionId as string) }],
      ['DELETE', 'notifications/push-subscriptions/:subscriptionId', undefined, { path: 'notifications/push-subscriptions/:pushId' }],
      ['POST', 'desk/files', { name: 'Notes.md', type: 'markdown', content: 'Mine' }, { then: take('fileId', ({ id }) => id as string) }],
      ['POST', 'agent/goals', { title: 'Tidy', agentName: 'robot' }, { admin: true, then: take('deskRunId', ({ runId }) => runId as string) }],
      ['POST', 'agent/runs/:runId/tool-calls', { tool: 'desk_delete_file', arguments: { fileId: 'DESKFILE' } }, { path: 'agent/runs/:deskRunId/tool-calls', admin: true, then: take('deskApprovalId', ({ approvalId }) => approvalId as string) }],
      ['POST', 'agent/approvals/:approvalId/decide', { decision: 'approved' }, { path: 'agent/approvals/:deskApprovalId/decide', admin: true }],
      ['POST', 'desk/files/:fileId/restore', {}],
      ['POST', 'agent/artifacts', { type: 'report', title: 'Stock', content: { summary: 'Enough' } }, { admin: true, then: take('artifactId', ({ id }) => id as string) }],
      ['POST', 'agent/artifacts/:artifactId/revise', { content: { summary: 'More than enough' } }, { admin: true }],
      ['POST', 'agent/artifacts/:artifactId/evaluate', {}, { admin: true }],
      ['POST', 'agent/artifacts/:artifactId/submit', { overrideReason: 'A drill' }, { admin: true, then: take('approvalId', ({ approvalId }) => approvalId as string) }],
      ['POST', 'agent/approvals/:approvalId/decide', { decision: 'approved' }, { admin: true }],
      ['POST', 'agent/artifacts/:artifactId/publish', { overrideReason: 'A drill' }, { admin: true }],
      ['POST', 'agent/artifacts/:artifactId/rollback', {}, { admin: true }],
      ['POST', 'agent/generate-app', { template: 'ecommerce' }, { admin: true }],
      ['POST', 'cdc/subscriptions', SUBSCRIPTION, { then: take('oldSubscriptionId', ({ id }) => id as string) }],
      ['DELETE', 'cdc/subscriptions/:subscriptionId', undefined, { path: 'cdc/subscriptions/:oldSubscriptionId' }],
      ['POST', 'cdc/subscriptions', SUBSCRIPTION, { then: take('subscriptionId', ({ id }) => id as string) }],
      ['POST', 'cdc/subscriptions/:subscriptionId/replay', { fromPosition: '1' }],
      ['PUT', 'settings', { deployments: { targets: [{ name: 'nowhere', url: 'http://127.0.0.1:9' }] } }],
      ['POST', 'deployments', { target: 'nowhere', reason: 'A drill' }, { then: take('deploymentId', ({ id }) => id as string) }],
      ['PUT', 'settings', { contentOs: { reconciler: true } }],
      ['POST', 'agent/intents', INTENT, { admin: true, then: take('oldIntentId', ({ id }) => id as string) }],
      ['DELETE', 'agent/intents/:intentId', undefined, { path: 'agent/intents/:oldIntentId' }],
      ['POST', 'agent/intents', INTENT, { admin: true, then: take('intentId', ({ id }) => id as string) }],
      ['PATCH', 'agent/intents/:intentId', { name: 'Long labels' }],
      ['POST', 'agent/intents/:intentId/pause', { reason: 'A drill' }, { admin: true }],
      ['POST', 'agent/intents/:intentId/resume', undefined, { admin: true }],
      ['POST', 'agent/intents/:intentId/scan', undefined, { admin: true, then: take('goalId', ({ goalIds }) => goalIds[0] as string) }],
      ['POST', 'agent/goals/:goalId/start', { agentName: 'robot' }],
      ['PUT', 'agent/tools/:name', CLIENT_TOOL, { path: 'agent/tools/shell' }],
      ['POST', 'agent/runs/:runId/tool-calls', { tool: 'shell', arguments: {}, callId: 'ours' }],
      ['POST', 'agent/runs/:runId/tool-calls/:callId/outcome', { status: 'executed', result: 1 }, { path: 'agent/runs/:runId/tool-calls/ours/outcome' }],
      ['POST', 'agent/runs/:runId/complete', { result: { ok: true } }],
      ['POST', 'agent/goals', { title: 'Plan', agentName: 'planner', agentRole: 'Planner' }, { then: take('goalId', ({ goalId }) => goalId as string) }],
      ['POST', 'agent/goals/:goalId/decompose', { goals: [{ title: 'Part', agentRole: 'Writer' }] }, { then: take('partId', ({ goals }) => goals[0].goalId as string) }],
      ['POST', 'agent/goals/:goalId/cancel', {}, { path: 'agent/goals/:partId/cancel' }],
      ['DELETE', 'items/:collection/:id', undefined, { path: 'items/shelves/:id' }],
      ...['fail', 'cancel'].flatMap((end): [string, string, unknown, object?][] => [
        ['POST', 'agent/goals', { title: 'Do', agentName: 'robot' }, { then: take('runId', ({ runId }) => runId as string) }], ['POST', `agent/runs/:runId/${end}`, { reason: 'Over' }],
      ]),
    ];

    it('[API-009] answers every write with the position of what it wrote, as documented', async () => {
      for (const [method, route, wanted, { path = route, then, admin = false } = {}] of WRITES) {
        const target = (path as string).replace(/:(\w+)/g, (_all, name: string) => made[name]!);
        const body = wanted && JSON.parse(JSON.stringify(wanted).replace('ITEM', made['id'] ?? '').replace('REVIEWER', made['reviewerRunId'] ?? '').replace('PERSON', made['personId'] ?? '').replace('APPROVAL', made['approvalId'] ?? '').replace('UPSTREAM', upstream.url).replace('DESKFILE', made['fileId'] ?? '').replace('MEMORY', made['memoryId'] ?? ''));
        const correlation = randomUUID();
        const caller = route.startsWith('agent/') && method === 'POST' && !admin ? agent : server.admin;
        const answer = await caller(method, target, body, { 'x-correlation-id': correlation });
        const { rows } = await server.pool.query<{ last: string | null }>(`SELECT max(position)::text AS last FROM es_event WHERE metadata::jsonb ->> 'correlationId' = $1`, [correlation]);
        expect([route, answer.status < 300, answer.body?.position]).toEqual([route, true, rows[0]!.last]);
        expect(typeof rows[0]!.last).toBe('string');
        expect(faultOf(method, `/api/v1/${route}`, answer)).toBeUndefined();
        (then as ((data: Body) => void) | undefined)?.(answer.body.data);
      }
      const covered = new Set([...QUESTIONS, ...NO_EVENTS, ...ELSEWHERE, ...WRITES.map(([method, route]) => `${method} ${route}`)]);
      const others = routes.filter(({ method, path }) => method !== 'GET' && path !== GRAPHQL && !path.startsWith('/api/v1/ops/') && !covered.has(`${method} ${path.slice('/api/v1/'.length)}`));
      expect(others).toEqual([]);
    });

    it('answers every read as documented', async () => {
      const values: Record<string, string> = { ...made, goalId: (await agent('POST', 'agent/goals', { title: 'x', agentName: 'robot' })).body.data.goalId as string, collection: 'products', name: 'products' };
      const { data: item } = (await server.admin('POST', 'items/products', { data: { sku: 'D-1', title: 'Documented' } })).body;
      values['id'] = item.id as string;
      values['version'] = 'autumn';
      values['revision'] = '1';
      await server.admin('POST', `items/products/${values['id']}/versions`, { name: 'autumn', data: { title: 'Autumn' } });
      values['hash'] = (await agent('GET', `agent/runs/${values['runId']!}`)).body.data.envelope.context.policySnapshotHash as string;
      values['eventId'] = (await server.pool.query<{ id: string }>('SELECT event_id AS id FROM es_event ORDER BY position LIMIT 1')).rows[0]!.id;
      const streams = ['/metrics', '/api/v1/audit/verify', '/api/v1/audit/stream', '/api/v1/agent/runs/:runId/stream', '/api/v1/agent/replay/verify', '/api/v1/mcp', '/api/v1/notifications/stream', '/api/v1/items/:collection/changes'];
      values['streamId'] = `run-${values['runId']!}`;
      values['letterId'] = await putLetter(server.pool, { siteId: 'site_demo' });
      for (const { path } of routes.filter(({ method, path }) => method === 'GET' && !['/openapi.json', '/asyncapi.json', '/llms.txt', '/docs', '/api/v1/decisions/:token', GRAPHQL].includes(path) && !PAGES.includes(path) && !streams.includes(path))) {
        const moment = PAST.includes(path) ? `?position=${await server.head()}` : path.endsWith('/desk/files/search') ? '?query=notes' : '';
        const answer = await server.admin('GET', path.replace(/:(\w+)/g, (_all, name: string) => NAMES[path] ?? values[name]!) + moment, undefined, { 'x-min-position': String(await server.head()) });
        expect([path, answer.status]).toEqual([path, 200]);
        expect(faultOf('GET', path, answer)).toBeUndefined();
      }
    });

    it('hands a call to a worker, and a token to whoever drives a run, as documented', async () => {
      const tool = { kind: 'worker', description: 'Renders', inputSchema: { type: 'object' }, requiredCapabilities: ['items:read'], risk: 'read', worker: { leaseMs: 60_000 } };
      await server.admin('PUT', 'agent/tools/render', tool);
      const { runId } = (await agent('POST', 'agent/goals', { title: 'Work', agentName: 'robot' })).body.data;
      const check = (path: string, answer: Answer) => expect([path, faultOf('POST', `/api/v1/${path}`, answer), answer.body.position]).toEqual([path, undefined, expect.stringMatching(/^\d+$/)]);
      check('agent/runs/:runId/token', await agent('POST', `agent/runs/${runId as string}/token`, {}));
      for (const [how, body] of [['complete', { result: 1 }], ['fail', { error: 'No' }]] as const) {
        const asked = agent('POST', `agent/runs/${runId as string}/tool-calls`, { tool: 'render', arguments: {} });
        const taken = await server.admin('POST', 'agent/worker/poll', { tools: ['render'], waitMs: 20_000 });
        check('agent/worker/poll', taken);
        const lease = `agent/worker/calls/${taken.body.data.leaseId as string}`;
        check('agent/worker/calls/:leaseId/heartbeat', await server.admin('POST', `${lease}/heartbeat`));
        check(`agent/worker/calls/:leaseId/${how}`, await server.admin('POST', `${lease}/${how}`, body));
        expect((await asked).body.data.status).toBe(how === 'complete' ? 'executed' : 'failed');
      }
      expect(NO_EVENTS.filter((route) => !routes.some(({ method, path }) => `${method} ${path.slice('/api/v1/'.length)}` === route))).toEqual([]);
    });

    it('has problems with the documented codes and no other', () => {
      expect(documented.document.components.schemas.Problem.properties.code.enum).toEqual([...PROBLEM_CODES]);
    });
  });

  const faultOf = (method: string, path: string, { status, headers, body, text }: Answer) =>
    documented.faultOfAnswer(method, path.replace(/:(\w+)/g, '{$1}'), status, headers.get('content-type')!.split(';')[0]!, body ?? text);
});
