import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { newId, type IdPrefix } from '@app/event-store';
import { putLetter } from './dead-letters';
import { recordingRoutes, type Route } from './routes';
import { testServer, type Api, type Body, type TestServer } from './server';

type Ids = Readonly<Record<'goalId' | 'runId' | 'approvalId' | 'stagingId' | 'constitutionId' | 'incidentId' | 'intentId' | 'flowId' | 'artifactId' | 'subscriptionId' | 'deploymentId' | 'memoryId' | 'fileId' | 'promotionId' | 'keyId' | 'userId' | 'itemId' | 'collection' | 'eventId' | 'hash' | 'leaseId' | 'letterId', string>>;
type Attempt = { readonly path: (ids: Ids) => string; readonly body?: unknown };

/** Every route that names a record of a site, with a body that would be taken if the record were there. */
const ATTEMPTS: Readonly<Record<string, Attempt>> = {
  'GET agent/goals/:goalId': { path: ({ goalId }) => `agent/goals/${goalId}` },
  'GET agent/runs/:runId': { path: ({ runId }) => `agent/runs/${runId}` },
  'GET agent/runs/:runId/tools': { path: ({ runId }) => `agent/runs/${runId}/tools` },
  'GET agent/runs/:runId/events': { path: ({ runId }) => `agent/runs/${runId}/events` },
  'GET agent/runs/:runId/at': { path: ({ runId }) => `agent/runs/${runId}/at?time=2999-01-01T00:00:00Z` },
  'GET agent/approvals/:approvalId/at': { path: ({ approvalId }) => `agent/approvals/${approvalId}/at?time=2999-01-01T00:00:00Z` },
  'GET agent/governance/snapshots/:hash': { path: ({ hash }) => `agent/governance/snapshots/${hash}` },
  'GET agent/replay/streams/:streamId': { path: ({ goalId }) => `agent/replay/streams/goal-${goalId}?version=1` },
  'GET agent/runs/:runId/stream': { path: ({ runId }) => `agent/runs/${runId}/stream` },
  'POST agent/runs/:runId/tool-calls': { path: ({ runId }) => `agent/runs/${runId}/tool-calls`, body: { tool: 'listCollections', arguments: {} } },
  'POST agent/runs/:runId/complete': { path: ({ runId }) => `agent/runs/${runId}/complete`, body: {} },
  'POST agent/runs/:runId/fail': { path: ({ runId }) => `agent/runs/${runId}/fail`, body: { reason: 'x' } },
  'POST agent/runs/:runId/cancel': { path: ({ runId }) => `agent/runs/${runId}/cancel`, body: {} },
  'POST agent/runs/:runId/retry': { path: ({ runId }) => `agent/runs/${runId}/retry` },
  'POST agent/runs/:runId/fork': { path: ({ runId }) => `agent/runs/${runId}/fork`, body: { atCallId: 'call_1' } },
  'POST agent/runs/:runId/token': { path: ({ runId }) => `agent/runs/${runId}/token`, body: {} },
  'POST agent/worker/calls/:leaseId/heartbeat': { path: ({ leaseId }) => `agent/worker/calls/${leaseId}/heartbeat` },
  'POST agent/worker/calls/:leaseId/complete': { path: ({ leaseId }) => `agent/worker/calls/${leaseId}/complete`, body: {} },
  'POST agent/worker/calls/:leaseId/fail': { path: ({ leaseId }) => `agent/worker/calls/${leaseId}/fail`, body: { error: 'x' } },
  'GET ops/dead-letters/:letterId': { path: ({ letterId }) => `ops/dead-letters/${letterId}` },
  'POST ops/dead-letters/:letterId/requeue': { path: ({ letterId }) => `ops/dead-letters/${letterId}/requeue` },
  'DELETE ops/dead-letters/:letterId': { path: ({ letterId }) => `ops/dead-letters/${letterId}` },
  'GET agent/approvals/:approvalId': { path: ({ approvalId }) => `agent/approvals/${approvalId}` },
  'POST agent/approvals/:approvalId/decide': { path: ({ approvalId }) => `agent/approvals/${approvalId}/decide`, body: { decision: 'approved' } },
  'POST agent/approvals/:approvalId/agent-decide': {
    path: ({ approvalId }) => `agent/approvals/${approvalId}/agent-decide`, body: { reviewerRunId: 'run_1', verdict: 'approve', confidence: 1, reason: 'x' },
  },
  'POST agent/approvals/:approvalId/answer': { path: ({ approvalId }) => `agent/approvals/${approvalId}/answer`, body: { text: 'x' } },
  'POST agent/approvals/:approvalId/extend': { path: ({ approvalId }) => `agent/approvals/${approvalId}/extend`, body: { until: '2999-01-01T00:00:00Z' } },
  'POST agent/approvals/:approvalId/delegate': { path: ({ approvalId }) => `agent/approvals/${approvalId}/delegate`, body: { to: 'key_1' } },
  'POST agent/approvals/:approvalId/escalate': { path: ({ approvalId }) => `agent/approvals/${approvalId}/escalate`, body: { reason: 'x' } },
  'POST agent/incidents/:incidentId/resolve': { path: ({ incidentId }) => `agent/incidents/${incidentId}/resolve`, body: {} },
  'POST agent/autonomy/promotions/:promotionId/decide': { path: ({ promotionId }) => `agent/autonomy/promotions/${promotionId}/decide`, body: { decision: 'approved' } },
  'POST agent/goals/:goalId/decompose': { path: ({ goalId }) => `agent/goals/${goalId}/decompose`, body: { goals: [{ title: 'x', agentRole: 'Writer' }] } },
  'POST agent/goals/:goalId/settle': { path: ({ goalId }) => `agent/goals/${goalId}/settle` },
  'POST agent/goals/:goalId/cancel': { path: ({ goalId }) => `agent/goals/${goalId}/cancel`, body: {} },
  'POST agent/runs/:runId/tool-calls/:callId/outcome': { path: ({ runId }) => `agent/runs/${runId}/tool-calls/c/outcome`, body: { status: 'executed' } },
  'POST agent/runs/:runId/tool-calls/:callId/resolve': { path: ({ runId }) => `agent/runs/${runId}/tool-calls/c/resolve`, body: { answer: 'happened' } },
  'POST agent/goals/:goalId/start': { path: ({ goalId }) => `agent/goals/${goalId}/start`, body: { agentName: 'robot' } },
  'GET agent/intents/:intentId': { path: ({ intentId }) => `agent/intents/${intentId}` },
  'PATCH agent/intents/:intentId': { path: ({ intentId }) => `agent/intents/${intentId}`, body: { name: 'x' } },
  'DELETE agent/intents/:intentId': { path: ({ intentId }) => `agent/intents/${intentId}` },
  'POST agent/intents/:intentId/pause': { path: ({ intentId }) => `agent/intents/${intentId}/pause`, body: {} },
  'POST agent/intents/:intentId/resume': { path: ({ intentId }) => `agent/intents/${intentId}/resume` },
  'POST agent/intents/:intentId/scan': { path: ({ intentId }) => `agent/intents/${intentId}/scan` },
  'GET agent/intents/:intentId/drifts': { path: ({ intentId }) => `agent/intents/${intentId}/drifts` },
  'GET agent/flows/:flowId': { path: ({ flowId }) => `agent/flows/${flowId}` },
  'PUT agent/flows/:flowId': { path: ({ flowId }) => `agent/flows/${flowId}`, body: { trigger: { on: 'cron', expression: '0 0 30 2 *' } } },
  'DELETE agent/flows/:flowId': { path: ({ flowId }) => `agent/flows/${flowId}` },
  'POST agent/flows/:flowId/run': { path: ({ flowId }) => `agent/flows/${flowId}/run` },
  'POST agent/memory/:memoryId/redact': { path: ({ memoryId }) => `agent/memory/${memoryId}/redact`, body: { texts: ['x'] } },
  'DELETE agent/memory/:memoryId': { path: ({ memoryId }) => `agent/memory/${memoryId}` },
  'GET desk/files/:fileId': { path: ({ fileId }) => `desk/files/${fileId}` },
  'GET desk/files/:fileId/revisions': { path: ({ fileId }) => `desk/files/${fileId}/revisions` },
  'GET desk/files/:fileId/revisions/:revision': { path: ({ fileId }) => `desk/files/${fileId}/revisions/1` },
  'POST desk/files/:fileId/restore': { path: ({ fileId }) => `desk/files/${fileId}/restore`, body: { revision: 1 } },
  'GET agent/artifacts/:artifactId': { path: ({ artifactId }) => `agent/artifacts/${artifactId}` },
  'GET agent/artifacts/:artifactId/evaluations': { path: ({ artifactId }) => `agent/artifacts/${artifactId}/evaluations` },
  'POST agent/artifacts/:artifactId/revise': { path: ({ artifactId }) => `agent/artifacts/${artifactId}/revise`, body: { content: { summary: 'x' } } },
  'POST agent/artifacts/:artifactId/evaluate': { path: ({ artifactId }) => `agent/artifacts/${artifactId}/evaluate`, body: {} },
  'POST agent/artifacts/:artifactId/submit': { path: ({ artifactId }) => `agent/artifacts/${artifactId}/submit`, body: {} },
  'POST agent/artifacts/:artifactId/publish': { path: ({ artifactId }) => `agent/artifacts/${artifactId}/publish`, body: {} },
  'POST agent/artifacts/:artifactId/rollback': { path: ({ artifactId }) => `agent/artifacts/${artifactId}/rollback`, body: {} },
  'GET cdc/subscriptions/:subscriptionId': { path: ({ subscriptionId }) => `cdc/subscriptions/${subscriptionId}` },
  'DELETE cdc/subscriptions/:subscriptionId': { path: ({ subscriptionId }) => `cdc/subscriptions/${subscriptionId}` },
  'POST cdc/subscriptions/:subscriptionId/replay': { path: ({ subscriptionId }) => `cdc/subscriptions/${subscriptionId}/replay`, body: { fromPosition: '1' } },
  'GET deployments/:deploymentId': { path: ({ deploymentId }) => `deployments/${deploymentId}` },
  'POST agent/staged/:stagingId/veto': { path: ({ stagingId }) => `agent/staged/${stagingId}/veto`, body: {} },
  'POST agent/staged/:stagingId/commit-now': { path: ({ stagingId }) => `agent/staged/${stagingId}/commit-now` },
  'GET agent/constitution/:constitutionId': { path: ({ constitutionId }) => `agent/constitution/${constitutionId}` },
  'POST agent/constitution/:constitutionId/dry-run': { path: ({ constitutionId }) => `agent/constitution/${constitutionId}/dry-run`, body: {} },
  'POST agent/constitution/:constitutionId/backtest': { path: ({ constitutionId }) => `agent/constitution/${constitutionId}/backtest`, body: {} },
  'POST agent/constitution/:constitutionId/activate': { path: ({ constitutionId }) => `agent/constitution/${constitutionId}/activate`, body: {} },
  'POST api-keys/:keyId/rotate': { path: ({ keyId }) => `api-keys/${keyId}/rotate`, body: {} },
  'PUT api-keys/:keyId': { path: ({ keyId }) => `api-keys/${keyId}`, body: { capabilities: [] } },
  'DELETE api-keys/:keyId': { path: ({ keyId }) => `api-keys/${keyId}` },
  'GET users/:userId': { path: ({ userId }) => `users/${userId}` },
  'PATCH users/:userId': { path: ({ userId }) => `users/${userId}`, body: { name: 'x' } },
  'DELETE users/:userId': { path: ({ userId }) => `users/${userId}` },
  'GET collections/:name': { path: ({ collection }) => `collections/${collection}` },
  'POST collections/:name/fields': { path: ({ collection }) => `collections/${collection}/fields`, body: { name: 'extra', type: 'text' } },
  'PATCH collections/:name': { path: ({ collection }) => `collections/${collection}`, body: { description: 'x' } },
  'DELETE collections/:name': { path: ({ collection }) => `collections/${collection}` },
  'PATCH collections/:name/fields/:field': { path: ({ collection }) => `collections/${collection}/fields/word`, body: { required: true } },
  'DELETE collections/:name/fields/:field': { path: ({ collection }) => `collections/${collection}/fields/word` },
  'GET collections/:name/relations': { path: ({ collection }) => `collections/${collection}/relations` },
  'POST collections/:name/relations': { path: ({ collection }) => `collections/${collection}/relations`, body: { name: 'of', field: 'word', to: 'products' } },
  'DELETE collections/:name/relations/:relation': { path: ({ collection }) => `collections/${collection}/relations/of` },
  'GET items/:collection': { path: ({ collection }) => `items/${collection}` },
  'POST items/:collection': { path: ({ collection }) => `items/${collection}`, body: { data: { word: 'x' } } },
  'GET items/:collection/:id': { path: ({ itemId }) => `items/products/${itemId}` },
  'PATCH items/:collection/:id': { path: ({ itemId }) => `items/products/${itemId}`, body: { data: { title: 'x' } } },
  'DELETE items/:collection/:id': { path: ({ itemId }) => `items/products/${itemId}` },
  'GET items/:collection/:id/revisions': { path: ({ itemId }) => `items/products/${itemId}/revisions` },
  'POST items/:collection/:id/revisions/:revision/restore': { path: ({ itemId }) => `items/products/${itemId}/revisions/1/restore` },
  'GET items/:collection/:id/versions': { path: ({ itemId }) => `items/products/${itemId}/versions` },
  'POST items/:collection/:id/versions': { path: ({ itemId }) => `items/products/${itemId}/versions`, body: { name: 'spring', data: { title: 'x' } } },
  'GET items/:collection/:id/versions/:version/compare': { path: ({ itemId }) => `items/products/${itemId}/versions/spring/compare` },
  'PATCH items/:collection/:id/versions/:version': { path: ({ itemId }) => `items/products/${itemId}/versions/spring`, body: { data: { title: 'x' } } },
  'POST items/:collection/:id/versions/:version/promote': { path: ({ itemId }) => `items/products/${itemId}/versions/spring/promote` },
  'DELETE items/:collection/:id/versions/:version': { path: ({ itemId }) => `items/products/${itemId}/versions/spring` },
  'GET items/:collection/:id/pins': { path: ({ itemId }) => `items/products/${itemId}/pins` },
  'POST items/:collection/:id/pins': { path: ({ itemId }) => `items/products/${itemId}/pins`, body: { fields: ['title'] } },
  'DELETE items/:collection/:id/pins': { path: ({ itemId }) => `items/products/${itemId}/pins` },
  'DELETE items/:collection/:id/pins/:field': { path: ({ itemId }) => `items/products/${itemId}/pins/title` },
  'POST items/:collection/:id/pins/answer': { path: ({ itemId }) => `items/products/${itemId}/pins/answer`, body: { revision: 1, answer: 'rule' } },
  'GET items/:collection/export': { path: ({ collection }) => `items/${collection}/export` },
  'GET items/:collection/changes': { path: ({ collection }) => `items/${collection}/changes` },
  'POST items/:collection/import': { path: ({ collection }) => `items/${collection}/import`, body: { data: { word: 'x' } } },
  'DELETE notifications/push-subscriptions/:subscriptionId': { path: ({ subscriptionId }) => `notifications/push-subscriptions/${subscriptionId}` },
  'POST notifications/deliveries/:deliveryId/replay': { path: ({ approvalId }) => `notifications/deliveries/approval:${approvalId}:slack:ops/replay` },
  'GET audit/proof/:eventId': { path: ({ eventId }) => `audit/proof/${eventId}` },
};
/**
 * Names that are no records of a site: read models belong to the installation, and every site has a set of tools and roles of its own. The classic
 * copilot's route answers `denied` for every id alike; its own spec says so. A link of a message names its own site; what it is not is all alike.
 */
const NO_RECORDS = /^\/api\/v1\/(ops\/(projections|parked-events)|decisions|agent\/(tools|roles)|ai\/approvals)\//;
const LISTS = ['agent/goals', 'agent/runs', 'agent/approvals', 'agent/tools', 'api-keys', 'users', 'collections', 'items/products', 'audit/events', 'agent/intents', 'agent/artifacts', 'cdc/subscriptions', 'deployments', 'deployments/targets', 'agent/memory', 'desk/files'];
const CALLS = 56;
/** What else runs on the machine can slow one round down for one kind alone; a difference that an attacker could use is there in every round. */
const ROUND = 8;

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

describe('A site', () => {
  let server: TestServer;
  let routes: readonly Route[];
  let outsider: Api;
  let foreign: Ids;
  let endOfLease: () => Promise<unknown>;

  /** Of a call that a worker of the site holds until the end. */
  const leaseOf = async (admin: Api): Promise<string> => {
    const tool = { kind: 'worker', description: 'Waits', inputSchema: { type: 'object' }, requiredCapabilities: ['items:read'], risk: 'read', worker: { leaseMs: 3_600_000 }, timeoutMs: 600_000 };
    await admin('PUT', 'agent/tools/longWork', tool);
    const { runId } = (await admin('POST', 'agent/goals', { title: 'Wait', agentName: 'robot', budget: { timeoutMs: 600_000 } })).body.data;
    const asked = admin('POST', `agent/runs/${runId as string}/tool-calls`, { tool: 'longWork', arguments: {} });
    const { leaseId } = (await admin('POST', 'agent/worker/poll', { tools: ['longWork'], waitMs: 20_000 })).body.data;
    endOfLease = async () => {
      await admin('POST', `agent/worker/calls/${leaseId as string}/complete`, {});
      await asked;
    };
    return leaseId as string;
  };
  const recordsOf = async (admin: Api, kind = 'products'): Promise<Ids> => {
    const agent = await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:update', 'items:delete'] }, admin);
    const { id: itemId } = (await admin('POST', `items/${kind}`, { data: kind === 'products' ? { sku: 'A', title: 'A' } : { word: 'A' } })).body.data;
    const { goalId, runId } = (await agent('POST', 'agent/goals', { title: 'Tidy', agentName: 'robot' })).body.data;
    const asked = await agent('POST', `agent/runs/${runId as string}/tool-calls`, { tool: 'deleteItem', arguments: { collection: kind, id: itemId } });
    await admin('PUT', 'settings', { contentOs: { vetoWindow: true } });
    const change = (await agent('POST', 'agent/goals', { title: 'Change', agentName: 'robot', approvalPolicy: 'before_commit' })).body.data;
    const staged = await agent('POST', `agent/runs/${change.runId as string}/tool-calls`, { tool: 'updateItem', arguments: { collection: kind, id: itemId, data: kind === 'products' ? { title: 'B' } : { word: 'B' } } });
    const constitution = await admin('POST', 'agent/constitution', { evaluators: [{ id: 'a', type: 'rule', rule: 'required', field: 'a' }] });
    const incident = await admin('POST', 'agent/incidents', { source: 'human_report', severity: 'low', detail: 'x' });
    await admin('PUT', 'settings', { promotion: { streak: 1, decided: 1, rate: 0 } });
    const task = { skillName: 'createItem', arguments: { collection: kind, data: kind === 'products' ? { sku: 'P', title: 'P' } : { word: 'P' } } };
    const earned = await admin('POST', 'agent/goals', { title: 'Earn', agentName: 'robot', agentRole: 'Writer', approvalPolicy: 'before_execute', task });
    await admin('POST', `agent/approvals/${earned.body.data.result.approvalId as string}/decide`, { decision: 'approved' });
    const checked = await admin('POST', 'agent/autonomy/promotions/check');
    const flow = await admin('POST', 'agent/flows', { name: 'Upkeep', trigger: { on: 'event', types: ['SiteCreated'] }, operations: [{ do: 'trust-promote-check' }], capabilities: [] });
    const intent = await admin('POST', 'agent/intents', { name: 'Fresh', collection: kind, rules: [{ type: 'freshness', maxAgeDays: 30 }], schedule: '0 3 1 1 *' });
    const artifact = await admin('POST', 'agent/artifacts', { type: 'report', title: 'A', content: { summary: 'A' } });
    const memory = await admin('POST', 'agent/memory', { content: 'A' });
    const file = await admin('POST', 'desk/files', { name: 'A.md', type: 'markdown', content: 'A' });
    const person = await admin('POST', 'users', { email: `${randomUUID()}@example.com`, name: 'A' });
    const subscription = await admin('POST', 'cdc/subscriptions', { name: 'Index', target: { type: 'webhook', url: 'https://index.invalid' }, types: ['SiteCreated'] });
    await admin('PUT', 'settings', { deployments: { targets: [{ name: 'nowhere', url: 'http://127.0.0.1:9' }] } });
    const deployment = await admin('POST', 'deployments', { target: 'nowhere' });
    const { envelope } = (await agent('GET', `agent/runs/${runId as string}`)).body.data;
    const { rows } = await server.pool.query<Body>('SELECT event_id FROM es_event WHERE stream_id = $1', [`goal-${goalId as string}`]);
    return { goalId, runId, approvalId: asked.body.data.approvalId, stagingId: staged.body.data.stagingId, constitutionId: constitution.body.data.id, incidentId: incident.body.data.id, intentId: intent.body.data.id, flowId: flow.body.data.id, artifactId: artifact.body.data.id, subscriptionId: subscription.body.data.id, deploymentId: deployment.body.data.id, memoryId: memory.body.data.id, fileId: file.body.data.id, promotionId: checked.body.data.proposed[0], keyId: agent.id, userId: person.body.data.id, itemId, collection: kind, eventId: rows[0].event_id, hash: envelope.context.policySnapshotHash } as Ids;
  };
  const unknown = (): Ids => {
    const id = (prefix: IdPrefix) => newId(prefix);
    return { goalId: id('goal'), runId: id('run'), approvalId: id('appr'), stagingId: id('stg'), constitutionId: id('con'), incidentId: id('inc'), intentId: id('int'), flowId: id('flow'), artifactId: id('art'), subscriptionId: id('sub'), deploymentId: id('dep'), memoryId: id('mem'), fileId: id('desk'), promotionId: id('prom'), keyId: id('key'), userId: id('usr'), itemId: id('item'), collection: 'nowhere', eventId: randomUUID(), leaseId: `lease_${randomUUID().replaceAll('-', '')}`, letterId: randomUUID(), hash: `sha256:${createHash('sha256').update(randomUUID()).digest('hex')}` };
  };
  const attempt = (route: string, ids: Ids, by = outsider) => by(route.split(' ')[0]!, ATTEMPTS[route]!.path(ids), ATTEMPTS[route]!.body);

  beforeAll(async () => {
    [server, routes] = await recordingRoutes(() => testServer());
    outsider = server.admin;
    await outsider('PUT', 'settings', { contentOs: { agentReview: true } });
    const { siteId, adminKey } = (await server.admin('POST', 'sites', { name: 'Elsewhere' })).body.data;
    const insider = server.as(adminKey as string);
    await insider('POST', 'collections', { name: 'words', fields: [{ name: 'word', type: 'text' }] });
    foreign = { ...(await recordsOf(insider, 'words')), leaseId: await leaseOf(insider), letterId: await putLetter(server.pool, { siteId }) };
    for (const route of ['GET agent/goals/:goalId', 'GET agent/runs/:runId', 'GET agent/approvals/:approvalId', 'GET collections/:name', `GET audit/proof/:eventId`]) {
      expect([route, (await attempt(route, foreign, withHead(insider, await server.head()))).status]).toEqual([route, 200]);
    }
    expect((await insider('GET', `items/words/${foreign.itemId}`)).status).toBe(200);
  });
  afterAll(async () => {
    await endOfLease();
    await server.close();
  });

  it('has an attempt here for every route that names a record', () => {
    const named = routes.filter(({ path }) => path.includes('/:') && !NO_RECORDS.test(path)).map(({ method, path }) => `${method} ${path.slice('/api/v1/'.length)}`);
    expect(named.toSorted()).toEqual(Object.keys(ATTEMPTS).toSorted());
  });

  it.each(Object.keys(ATTEMPTS))('[AUTH-014] answers an unknown id and one of another site alike: %s', async (route) => {
    const before = await server.log();
    const answers = [await attempt(route, foreign), await attempt(route, unknown()), await attempt(route, foreign), await attempt(route, unknown())];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([403, 'FORBIDDEN']));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => [...headers.keys()].join())).size).toBe(1);
    expect(await server.log()).toEqual(before);
  });

  it('[AUTH-014] says so with one body, whatever the route', async () => {
    const texts = new Set<string>();
    for (const route of Object.keys(ATTEMPTS)) texts.add((await attempt(route, foreign)).text);
    expect([...texts]).toHaveLength(1);
  });

  it.each(Object.keys(ATTEMPTS))('[AUTH-014] takes as long for either: %s', async (route) => {
    const times = { unknown: [] as number[], foreign: [] as number[] };
    const stranger = unknown();
    const timed = async (kind: keyof typeof times, ids: Ids) => {
      const started = performance.now();
      await attempt(route, ids);
      times[kind].push(performance.now() - started);
    };
    let ratio = Infinity;
    for (let call = 1; call <= CALLS && !(call % ROUND === 1 && ratio < 3); call++) {
      await timed('unknown', stranger);
      await timed('foreign', foreign);
      const [one, other] = [median(times.unknown), median(times.foreign)];
      ratio = Math.max(one, other) / Math.min(one, other);
    }
    expect(ratio).toBeLessThan(3);
  });

  it('shows nothing of another site in its lists, whatever is asked for', async () => {
    const head = await server.head();
    const own = await recordsOf(server.admin);
    const filters: Record<string, string[]> = {
      'agent/runs': [`goalId=${foreign.goalId}`], 'agent/approvals': [`runId=${foreign.runId}`], 'audit/events': [`streamId=run-${foreign.runId}`, `actor=${foreign.keyId}`, `streamId=goal-${foreign.goalId}`],
    };
    let shown = '';
    for (const list of LISTS) {
      const answer = await outsider('GET', `${list}?limit=200&minPosition=${head}`);
      expect([list, answer.status, answer.body.data.length > 0]).toEqual([list, 200, true]);
      shown += answer.text;
      for (const filter of filters[list] ?? []) expect([filter, (await outsider('GET', `${list}?${filter}&minPosition=${head}`)).body.data]).toEqual([filter, []]);
    }
    for (const id of [foreign.goalId, foreign.runId, foreign.approvalId, foreign.keyId, foreign.itemId, foreign.eventId]) expect(shown).not.toContain(id);
    expect(shown).toContain(own.goalId);
    expect(shown).not.toContain('words');
  });

  it('tells nothing through a tool either', async () => {
    const agent = await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:update', 'items:delete', 'schema:read'] });
    const { runId } = (await agent('POST', 'agent/goals', { title: 'Pry', agentName: 'robot' })).body.data;
    const call = async (tool: string, args: Record<string, unknown>) => {
      const { callId: _own, approvalId: _card, actionDigest: _digest, ...told } = (await agent('POST', `agent/runs/${runId as string}/tool-calls`, { tool, arguments: args })).body.data;
      return told as Body;
    };
    const stranger = unknown();
    for (const [tool, more] of [['getItem', {}], ['updateItem', { data: { title: 'x' } }]] as const) {
      const told = [await call(tool, { collection: 'products', id: stranger.itemId, ...more }), await call(tool, { collection: 'products', id: foreign.itemId, ...more })];
      expect(told[0]).toEqual(told[1]);
      expect(told[0].result).toBeUndefined();
    }
    expect(await call('listItems', { collection: 'words' })).toEqual(await call('listItems', { collection: 'nowhere' }));
    expect(JSON.stringify((await call('listCollections', {})).result)).not.toContain('words');
  });

  it('[RISK-005] answers one body for an unknown and a foreign id, and that it is gone for a record of its own that was deleted', async () => {
    const bodies = new Set<string>();
    for (const route of Object.keys(ATTEMPTS)) for (const ids of [foreign, unknown()]) bodies.add((({ status, text }) => `${status} ${text}`)(await attempt(route, ids)));
    expect([...bodies]).toEqual([expect.stringMatching(/^403 .*"code":"FORBIDDEN"/)]);
    const own = await recordsOf(server.admin);
    const gone: Record<string, string[]> = {
      [`items/products/${own.itemId}`]: ['GET', 'PATCH', 'DELETE'], [`agent/flows/${own.flowId}`]: ['GET', 'PUT'], [`agent/intents/${own.intentId}`]: ['GET', 'PATCH'], [`cdc/subscriptions/${own.subscriptionId}`]: ['GET', 'DELETE'],
      [`users/${own.userId}`]: ['GET', 'PATCH', 'DELETE'],
      [`api-keys/${own.keyId}`]: ['PUT'], [`api-keys/${own.keyId}/rotate`]: ['POST'],
    };
    const body = { PATCH: { data: { title: 'x' } }, PUT: { capabilities: [], name: 'x' }, POST: {} } as Record<string, Body>;
    for (const path of Object.keys(gone).filter((one) => !one.endsWith('/rotate'))) expect([path, (await outsider('DELETE', path)).status]).toEqual([path, 200]);
    const at = { 'x-min-position': String(await server.head()) };
    for (const [path, methods] of Object.entries(gone)) {
      for (const method of methods) {
        const given = path.startsWith('users') || path.startsWith('agent/intents') || path.startsWith('agent/flows') ? { name: 'x' } : path.startsWith('api-keys') ? { ...(method === 'PUT' && { capabilities: [] }) } : body[method];
        const answer = await outsider(method, path, method === 'GET' || method === 'DELETE' ? undefined : given, at);
        expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 410, 'GONE']);
      }
    }
  });

  /** Tools that name records, and what they are asked about them. */
  const NAMING_TOOLS: Readonly<Record<string, (ids: Ids) => Body>> = {
    getItem: ({ itemId }) => ({ collection: 'products', id: itemId }),
    updateItem: ({ itemId }) => ({ collection: 'products', id: itemId, data: { title: 'x' } }),
    deleteItem: ({ itemId }) => ({ collection: 'products', id: itemId }),
    listItems: ({ collection }) => ({ collection }),
    createItem: ({ collection }) => ({ collection, data: { word: 'x' } }),
    createItems: ({ collection }) => ({ collection, items: [{ word: 'x' }] }),
    restoreRevision: ({ itemId }) => ({ collection: 'products', id: itemId, revision: 1 }),
    listVersions: ({ itemId }) => ({ collection: 'products', id: itemId }),
    compareVersion: ({ itemId }) => ({ collection: 'products', id: itemId, name: 'spring' }),
    createVersion: ({ itemId }) => ({ collection: 'products', id: itemId, name: 'spring' }),
    updateVersion: ({ itemId }) => ({ collection: 'products', id: itemId, name: 'spring', data: { title: 'x' } }),
    promoteVersion: ({ itemId }) => ({ collection: 'products', id: itemId, name: 'spring' }),
    deleteVersion: ({ itemId }) => ({ collection: 'products', id: itemId, name: 'spring' }),
    updateCollection: ({ collection }) => ({ name: collection, description: 'x' }),
    deleteCollection: ({ collection }) => ({ name: collection }),
    updateField: ({ collection }) => ({ collection, field: 'word', required: true }),
    deleteField: ({ collection }) => ({ collection, field: 'word' }),
    listRelations: ({ collection }) => ({ collection }),
    createRelation: ({ collection }) => ({ collection, name: 'of', field: 'word', to: 'products' }),
    deleteRelation: ({ collection }) => ({ collection, name: 'of' }),
    createField: ({ collection }) => ({ collection, field: { name: 'extra', type: 'text' } }),
    aiSuggestField: ({ collection }) => ({ collection, purpose: 'x' }),
    aiContentAssist: ({ itemId }) => ({ collection: 'products', id: itemId, instruction: 'x' }),
    generateApiDocs: ({ collection }) => ({ collections: [collection] }),
    generateSeedData: ({ collection }) => ({ collection }),
    'drift-scan': ({ intentId }) => ({ intentId }),
    updateUser: ({ userId }) => ({ id: userId, name: 'x' }),
    removeUser: ({ userId }) => ({ id: userId }),
    rotateApiKey: ({ keyId }) => ({ id: keyId }),
    revokeApiKey: ({ keyId }) => ({ id: keyId }),
    createIntent: ({ collection }) => ({ name: 'Spy', collection, rules: [{ type: 'freshness', maxAgeDays: 30 }] }),
    updateIntent: ({ intentId }) => ({ id: intentId, name: 'x' }),
    deleteIntent: ({ intentId }) => ({ id: intentId }),
    updateFlow: ({ flowId }) => ({ id: flowId, name: 'x' }),
    deleteFlow: ({ flowId }) => ({ id: flowId }),
    runFlow: ({ flowId }) => ({ id: flowId }),
    desk_read_file: ({ fileId }) => ({ fileId }),
    desk_update_cells: ({ fileId }) => ({ fileId, deleteRows: [0] }),
    desk_update_markdown: ({ fileId }) => ({ fileId, content: 'x' }),
    desk_rename_file: ({ fileId }) => ({ fileId, name: 'X.md' }),
    desk_delete_file: ({ fileId }) => ({ fileId }),
    desk_propose_plan: ({ fileId }) => ({ title: 'Pry', steps: [{ tool: 'desk_delete_file', arguments: { fileId } }] }),
    resolve_ref: ({ runId }) => ({ ref: runId }),
    getDeploymentStatus: ({ deploymentId }) => ({ id: deploymentId }),
    getCdcSubscriptionStatus: ({ subscriptionId }) => ({ id: subscriptionId }),
    replayCdcSubscription: ({ subscriptionId }) => ({ id: subscriptionId, fromPosition: '1' }),
    deleteCdcSubscription: ({ subscriptionId }) => ({ id: subscriptionId }),
  };
  const NAMELESS_TOOLS = ['generateApp', 'generateAppSpec', 'desk_list_files', 'desk_create_file', 'desk_search', 'createCollection', 'listCollections', 'trust-promote-check', 'veto-sweep', 'listRoles', 'createRole', 'updateRole', 'deleteRole', 'listPolicies', 'createPolicy', 'deletePolicy', 'listUsers', 'inviteUser', 'listApiKeys', 'createApiKey', 'listIntents', 'listFlows', 'createFlow', 'listDeploymentTargets', 'listDeployments', 'triggerDeployment', 'listCdcSubscriptions', 'createCdcSubscription'];
  /** Routes whose body names records, besides those in the path. */
  const NAMING_BODIES: readonly (readonly [string, (ids: Ids) => Body])[] = [
    ['agent/artifacts', ({ runId }) => ({ type: 'report', title: 'Spy', content: { summary: 'x' }, runId })],
    ['agent/memory', ({ runId }) => ({ content: 'x', runId })],
    ['privacy/forget', ({ runId }) => ({ subject: runId })],
    ['privacy/forget', ({ memoryId }) => ({ subject: memoryId })],
    ['agent/memory', ({ goalId }) => ({ content: 'x', scope: { goalId } })],
    ['agent/goals', ({ intentId }) => ({ title: 'Of an intent', agentName: 'robot', intentId })],
    ['agent/kill-switch', ({ runId }) => ({ scope: 'run', targetId: runId })],
    ['agent/kill-switch', ({ intentId }) => ({ scope: 'intent', targetId: intentId })],
    ['agent/incidents', ({ runId }) => ({ source: 'human_report', severity: 'low', detail: 'x', runId })],
    ['agent/approvals/decide', ({ approvalId }) => ({ decisions: [{ approvalId, decision: 'approved' }] })],
    ['agent/tools/updateItem/dry-run', ({ itemId }) => ({ arguments: { collection: 'products', id: itemId, data: { title: 'x' } } })],
    ['agent/intents', ({ collection }) => ({ name: 'Spy', collection, rules: [{ type: 'freshness', maxAgeDays: 30 }], schedule: '0 3 1 1 *' })],
    ['agent/approvals/OWN/delegate', ({ keyId }) => ({ to: keyId })],
    ['agent/approvals/OWN/agent-decide', ({ runId }) => ({ reviewerRunId: runId, verdict: 'approve', confidence: 1, reason: 'x' })],
  ];

  it('[SEC-001] O1: with ids of another site every route, query and tool answers as for an unknown id, and nothing of that site changes', async () => {
    const agent = await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:write', 'items:update', 'items:delete', 'schema:read', 'schema:create', 'schema:update', 'schema:delete', 'desk:read', 'desk:create', 'desk:write', 'desk:delete', 'desk:ask', 'drift:scan', 'users:write', 'users:delete', 'api-keys:write', 'api-keys:delete', 'intents:write', 'flows:write', 'flows:run', 'cdc:manage', 'deployments:read'] });
    const run = async () => (await agent('POST', 'agent/goals', { title: 'Pry', agentName: 'robot', budget: { maxToolCalls: 100_000 } })).body.data.runId as string;
    const runId = await run();
    const { approvalId: waiting } = (await agent('POST', `agent/runs/${await run()}/tool-calls`, { tool: 'deleteItem', arguments: { collection: 'products', id: unknown().itemId } })).body.data;
    const tools = ((await outsider('GET', 'agent/tools?limit=200')).body.data as Body[]).map(({ name }) => name as string);
    expect(tools.toSorted()).toEqual([...Object.keys(NAMING_TOOLS), ...NAMELESS_TOOLS].toSorted());
    const { paths } = (await outsider('GET', '/openapi.json')).body as { paths: Record<string, Body> };
    const queries = Object.entries(paths).flatMap(([path, { get }]) =>
      // What streams has no end to compare; verification of one run does.
      path.includes('{') || path.endsWith('/stream') ? [] : ((get?.parameters ?? []) as Body[]).filter(({ in: place, name }) => place === 'query' && /Id$|^actor$/.test(name as string)).map(({ name }) => [path, name as string] as const),
    );
    expect(queries.length).toBeGreaterThanOrEqual(5);

    const shape = (text: string, ids: Ids) => Object.values(ids).reduce((now, id) => now.replaceAll(id, 'THAT'), text)
      .replace(/\b(goal|run|call|appr|inc|frz|int|stg|prom|art)_[0-9a-f]{32}/g, 'ID').replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'UUID')
      .replace(/\b[0-9a-f]{64}\b/g, 'DIGEST').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME').replace(/"\d+"/g, '"POSITION"');
    const foreignEvents = async () => (await server.log()).filter(({ site_id }: Body) => site_id !== 'site_demo');
    const before = await foreignEvents();
    const asked = {
      route: async (n: number, ids: Ids) => {
        const log = await server.head();
        const { status, text } = await attempt(Object.keys(ATTEMPTS)[n % Object.keys(ATTEMPTS).length]!, ids);
        expect([status, await server.head()]).toEqual([403, log]);
        return [status, text];
      },
      query: async (n: number, ids: Ids) => {
        const [path, name] = queries[n % queries.length]!;
        const value = { streamId: `run-${ids.runId}`, actor: ids.keyId, actorId: ids.keyId, parentGoalId: ids.goalId }[name] ?? (ids as Record<string, string>)[name] ?? ids.runId;
        const { status, text } = await outsider('GET', `${path}?${name}=${encodeURIComponent(value)}`);
        // How recent a memory is changes between two questions.
        return [path, name, status, shape(text.replace(/"(recency|score)":[\d.e-]+/g, '"$1":0'), ids)];
      },
      tool: async (n: number, ids: Ids) => {
        const tool = Object.keys(NAMING_TOOLS)[n % Object.keys(NAMING_TOOLS).length]!;
        const { data } = (await agent('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: NAMING_TOOLS[tool]!(ids), callId: `c-${randomUUID()}` })).body;
        const decided = data.approvalId && (await outsider('POST', `agent/approvals/${data.approvalId}/decide`, { decision: 'approved' })).text;
        const { callId: _own, ...told } = data;
        return [tool, shape(JSON.stringify(told), ids), decided && shape((decided as string).replace(/c-[0-9a-f-]{36}/g, 'C'), ids)];
      },
      body: async (n: number, ids: Ids) => {
        const [path, make] = NAMING_BODIES[n % NAMING_BODIES.length]!;
        const { status, text, body } = await outsider('POST', path.replace('OWN', waiting as string), make(ids));
        // A freeze of any name holds on the caller's own site, and would be met again by a later case.
        if (body?.data?.freezeId) await outsider('POST', 'agent/kill-switch/lift', { freezeId: body.data.freezeId });
        return [path, status, shape(text, ids)];
      },
    };
    const kinds = Object.keys(asked) as (keyof typeof asked)[];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...kinds), fc.nat(10_000), fc.boolean(), async (kind, n, foreignFirst) => {
        const stranger = unknown();
        const pair = foreignFirst ? [foreign, stranger] : [stranger, foreign];
        const [one, other] = [await asked[kind](n, pair[0]!), await asked[kind](n, pair[1]!)];
        expect(one).toEqual(other);
        expect(await foreignEvents()).toEqual(before);
      }),
      { numRuns: 200, seed: 20_261_130 },
    );
  });
});

/** The same caller, who waits until everything up to a position can be read. */
const withHead = (api: Api, head: bigint): Api => Object.assign((method: string, path: string, body?: unknown) => api(method, path, body, { 'x-min-position': String(head) }), { key: api.key });
