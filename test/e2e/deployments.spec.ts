import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Harness, RequestVerifier } from '../../libs/sdk/src';
import { CountingServer } from './counting-server';
import { testServer, type Api, type Body, type TestServer } from './server';

describe('Deployments', () => {
  let server: TestServer;
  let admin: Api;
  let hooks: CountingServer;

  beforeAll(async () => {
    hooks = await CountingServer.start();
    server = await testServer();
    ({ admin } = server);
    const targets = [
      { name: 'production', url: `${hooks.url}/deploy/secret://deploy-key`, auth: 'secret://deploy-token' },
      { name: 'preview', url: `${hooks.url}/preview`, method: 'PUT' },
    ];
    const secrets = { 'deploy-key': 'k-7f3a', 'deploy-token': 't-99ab-secret', 'webhook-signing': 'what we sign with' };
    const set = await admin('PUT', 'settings', { outbound: { allowHosts: [hooks.host] }, secrets, deployments: { targets } });
    expect([set.status, set.body.data.deployments]).toEqual([200, { targets }]);
  });
  afterAll(async () => {
    await server.close();
    await hooks.close();
  });
  beforeEach(() => {
    hooks.reset();
    hooks.answer = () => ({ body: { build: 7, told: 't-99ab-secret' } });
  });

  const trigger = (body: object, by = admin, headers = {}) => by('POST', 'deployments', body, headers);
  const eventsOf = async ({ id }: Body) => (await server.log()).filter((event: Body) => event.stream_id === `deployment-${id as string}`) as Body[];

  it('are triggered, listed and inspected over REST, and recorded with what came of them', async () => {
    expect((await admin('GET', 'deployments/targets')).body.data).toEqual([
      { name: 'preview', url: `${hooks.url}/preview`, method: 'PUT', auth: null },
      { name: 'production', url: `${hooks.url}/deploy/secret://deploy-key`, method: 'POST', auth: 'secret://deploy-token' },
    ]);
    const answer = await trigger({ target: 'production', reason: 'Release 7', parameters: { ref: 'v7' } });
    const made = answer.body.data as Body;
    expect([answer.status, made]).toMatchObject([201, { id: expect.stringMatching(/^dep_[0-9a-f]{32}$/), target: 'production', status: 'succeeded', reason: 'Release 7', parameters: { ref: 'v7' }, runId: null, failure: null }]);
    expect(JSON.parse(made.answer as string)).toMatchObject({ build: 7 });
    expect((await admin('GET', `deployments/${made.id as string}`)).body.data).toEqual(made);
    expect((await eventsOf(made)).map(({ type }) => type as string)).toEqual(['DeploymentTriggered', 'DeploymentSucceeded']);
    hooks.answer = () => ({ status: 500, body: 'no room' });
    const failed = (await trigger({ target: 'preview' })).body.data as Body;
    expect(failed).toMatchObject({ status: 'failed', answer: null, failure: { code: 'UPSTREAM_STATUS', reason: `http://${hooks.host} answered 500: no room` } });
    expect((await eventsOf(failed)).map(({ type }) => type as string)).toEqual(['DeploymentTriggered', 'DeploymentFailed']);
    const list = async (query = '') => ((await admin('GET', `deployments?minPosition=${await server.head()}${query}`)).body.data as Body[]).map(({ id }) => id as string);
    expect([await list(), await list('&target=production'), await list('&status=failed')]).toEqual([[failed.id, made.id], [made.id], [failed.id]]);
  });

  it('[SKILL-018] call the hook of the site through the executor of http tools: signed, with secrets by name, and told in no record', async () => {
    const made = (await trigger({ target: 'production', parameters: { ref: 'v8' } })).body.data as Body;
    const [{ method, url, headers, text, body, key }] = hooks.received as [(typeof hooks.received)[number]];
    expect([method, url, headers.authorization]).toEqual(['POST', '/deploy/k-7f3a', 'Bearer t-99ab-secret']);
    expect(body).toEqual({ tool: 'triggerDeployment', arguments: { deploymentId: made.id, target: 'production', parameters: { ref: 'v8' } }, siteId: 'site_demo', runId: made.id, callId: made.id });
    expect(await new RequestVerifier('what we sign with').verify({ method, url, headers, body: text })).toMatchObject({ ok: true, idempotencyKey: `${made.id as string}/${made.id as string}` });
    expect(key).toBe(`${made.id as string}/${made.id as string}`);
    const log = JSON.stringify(await server.log());
    for (const secret of ['k-7f3a', 't-99ab-secret', 'what we sign with']) expect(log).not.toContain(secret);
    await admin('PUT', 'settings', { outbound: { allowHosts: [] } });
    expect((await trigger({ target: 'production' })).body.data).toMatchObject({ status: 'failed', failure: { code: 'ADDRESS_REFUSED' } });
    await admin('PUT', 'settings', { outbound: { allowHosts: [hooks.host] } });
    expect(hooks.received).toHaveLength(1);
  });

  it('are triggered and looked at by the SDK, too', async () => {
    const { deployments } = new Harness({ url: server.url, key: admin.key });
    expect((await deployments.targets()).data.map(({ name }) => name)).toEqual(['preview', 'production']);
    const { data: made } = await deployments.trigger({ target: 'preview', reason: 'By the SDK' });
    expect(await deployments.get(made.id)).toEqual(made);
    const listed = deployments.each({ target: 'preview', limit: 1 });
    expect((await listed.next()).value).toEqual(made);
    await listed.return(undefined);
  });

  it('are one for one request, however often it is sent', async () => {
    const again = { 'idempotency-key': 'deploy-once' };
    const answers = [await trigger({ target: 'preview' }, admin, again), await trigger({ target: 'preview' }, admin, again)];
    expect(answers.map(({ status, body }) => [status, body.data.id])).toEqual(Array(2).fill([201, answers[0]!.body.data.id]));
    expect(hooks.received).toHaveLength(1);
  });

  it('[SKILL-012] are triggered by agents through the door, after a person has said yes', async () => {
    const agent = await server.newKey({ name: 'robot', capabilities: ['deployments:read', 'deployments:write'] });
    expect((await trigger({ target: 'production' }, agent)).body).toMatchObject({ code: 'FORBIDDEN', facts: { tool: 'triggerDeployment' } });
    const { runId } = (await agent('POST', 'agent/goals', { title: 'Ship', agentName: 'robot' })).body.data;
    const call = async (tool: string, args: object): Promise<Body> => (await agent('POST', `agent/runs/${runId as string}/tool-calls`, { tool, arguments: args })).body.data as Body;
    expect(await call('listDeploymentTargets', {})).toMatchObject({ status: 'executed', result: { rows: [{ name: 'preview' }, { name: 'production' }] } });
    const asked = await call('triggerDeployment', { target: 'production', parameters: { ref: 'v9' } });
    expect([asked.status, hooks.received.length]).toEqual(['pending_approval', 0]);
    const decide = async (approvalId: string) => (await admin('POST', `agent/approvals/${approvalId}/decide`, { decision: 'approved' })).body.data.call as Body;
    const done = await decide(asked.approvalId as string);
    expect(done).toMatchObject({ status: 'executed', result: { target: 'production', status: 'succeeded', runId } });
    expect(hooks.received.map(({ key }) => key)).toEqual([`${runId as string}/${done.result.id as string}`]);
    expect(await call('getDeploymentStatus', { id: done.result.id })).toMatchObject({ status: 'executed', result: { id: done.result.id, status: 'succeeded' } });
    expect((await call('listDeployments', { target: 'production' })).result.rows.map(({ id }: Body) => id as string)).toContain(done.result.id);
    hooks.answer = () => ({ status: 503 });
    const again = (await call('triggerDeployment', { target: 'production' })).approvalId as string;
    // It failed, so it waits for somebody once more, and is then tried again as the same deployment.
    expect(await decide(again)).toMatchObject({ status: 'pending_approval' });
    const [failing] = (await admin('GET', `deployments?limit=1&minPosition=${await server.head()}`)).body.data as Body[];
    expect(failing).toMatchObject({ status: 'failed', attempts: 1, failure: { code: 'UPSTREAM_STATUS' } });
    hooks.answer = () => ({ status: 204 });
    expect(await decide(again)).toMatchObject({ status: 'executed', result: { id: failing!.id, status: 'succeeded', attempts: 2 } });
    expect(hooks.counts().get(`${runId as string}/${failing!.id as string}`)).toBe(2);
    const reader = await server.newKey({ name: 'reader', capabilities: ['deployments:read'] });
    const run = (await reader('POST', 'agent/goals', { title: 'x', agentName: 'reader' })).body.data.runId as string;
    expect((await reader('POST', `agent/runs/${run}/tool-calls`, { tool: 'triggerDeployment', arguments: { target: 'production' } })).body.data).toMatchObject({ status: 'denied', reason: 'capability_missing' });
  });

  it('are refused for a target that is not there, to those who may not, and under a freeze', async () => {
    expect((await trigger({ target: 'moon' })).body).toMatchObject({ status: 422, detail: expect.stringMatching(/production, preview/) });
    expect((await trigger({ target: 'production' }, await server.newKey({ kind: 'human', capabilities: ['deployments:read'] }))).status).toBe(403);
    const twice = { deployments: { targets: [{ name: 'a', url: 'https://a.example' }, { name: 'a', url: 'https://b.example' }] } };
    expect((await admin('PUT', 'settings', twice)).status).toBe(422);
    const { body: frozen } = await admin('POST', 'agent/kill-switch', { scope: 'site', reason: 'Drill' });
    expect((await trigger({ target: 'production' })).status).toBe(423);
    await admin('POST', 'agent/kill-switch/lift', { freezeId: frozen.data.freezeId });
    expect(hooks.received).toEqual([]);
  });
});
