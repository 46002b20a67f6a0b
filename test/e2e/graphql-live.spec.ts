import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import { Subscriber } from './graphql-client';
import { testServer, type Api, type Body, type TestServer } from './server';

describe('GraphQL subscriptions', () => {
  let server: TestServer;
  let agent: Api & { readonly id: string };
  let other: Api;
  const open: Subscriber[] = [];
  const subscriberOf = async (key: string, more?: Record<string, string>) => {
    const subscriber = await Subscriber.of(server.url, key, more);
    open.push(subscriber);
    return subscriber;
  };

  beforeAll(async () => {
    server = await testServer();
    agent = await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:write', 'items:delete'] });
    other = server.as((await server.admin('POST', 'sites', { name: 'Other' })).body.data.adminKey as string);
  });
  afterAll(async () => {
    for (const subscriber of open) subscriber.close();
    await server.close();
  });

  const newRun = async (api: Api = agent) => (await api('POST', 'agent/goals', { title: 'Watched', agentName: 'robot' })).body.data.runId as string;
  const call = async (runId: string, tool: string, args: Body, api: Api = agent) => (await api('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: args })).body.data as Body;

  /** Does something again and again until a subscription tells of it: nobody says when a subscription has begun. */
  const begun = async (subscriber: Subscriber, id: string, act: () => Promise<unknown>) => {
    let heard = false;
    const told = subscriber.told(id).then(() => void (heard = true));
    while (!heard) await Promise.all([act(), Promise.race([told, new Promise((turn) => setTimeout(turn, 100))])]);
  };

  it('[GQL-003] tell of runs, approvals, incidents and events of the site, over graphql-transport-ws', async () => {
    const subscriber = await subscriberOf(server.admin.key);
    const runId = await newRun();
    await server.admin('GET', `agent/runs?minPosition=${await server.head()}`);
    const [run, runs, approvals, incidents, events] = [
      subscriber.subscribe('subscription ($id: ID) { runUpdated(runId: $id) { id status toolCalls goal { title } } }', { id: runId }),
      subscriber.subscribe('subscription { runUpdated { id } }'),
      subscriber.subscribe('subscription { approvalRequested { id status tool run { id } } }'),
      subscriber.subscribe('subscription { incidentOpened { id severity detail } }'),
      subscriber.subscribe('subscription { eventAppended(types: ["IncidentOpened"]) { position type streamId siteId actor data } }'),
    ];
    const { result } = await call(runId, 'createItem', { collection: 'products', data: { sku: 'L-1', title: 'Pot' } });
    const incident = (detail: string, api: Api = server.admin) => api('POST', 'agent/incidents', { source: 'human_report', severity: 'low', detail });
    const asks = async () => (await call(await newRun(), 'deleteItem', { collection: 'products', id: result.id })).approvalId as string;
    await begun(subscriber, run, () => call(runId, 'getItem', { collection: 'products', id: result.id }));
    await begun(subscriber, runs, () => newRun());
    await begun(subscriber, approvals, asks);
    await begun(subscriber, incidents, () => incident('Begun'));
    await begun(subscriber, events, () => incident('Begun'));

    // What happens on another site is nobody's business here, though it comes first.
    const foreign = await newRun(other);
    await incident('Elsewhere', other);
    const about = (id: string, fits: (node: Body) => boolean) => subscriber.next((message) => message.id === id && fits(Object.values(message.payload.data as Body)[0])).then(({ payload }) => payload as Body);
    await call(runId, 'getItem', { collection: 'products', id: result.id });
    expect((await about(run, ({ toolCalls }) => toolCalls > 2)).data.runUpdated).toEqual({ id: runId, status: 'running', toolCalls: expect.any(Number), goal: { title: 'Watched' } });
    const another = await newRun();
    await about(runs, (node) => node.id === another);
    const approvalId = await asks();
    expect((await about(approvals, (node) => node.id === approvalId)).data.approvalRequested).toEqual({ id: approvalId, status: 'pending', tool: 'deleteItem', run: { id: expect.stringMatching(/^run_/) } });
    const { id } = (await incident('A drill')).body.data;
    expect((await about(incidents, (node) => node.id === id)).data.incidentOpened).toEqual({ id, severity: 'low', detail: 'A drill' });
    const told = (await about(events, ({ data }) => data.detail === 'A drill')).data.eventAppended;
    expect(told).toEqual({ type: 'IncidentOpened', streamId: `incident-${id}`, siteId: 'site_demo', position: expect.stringMatching(/^\d+$/), actor: expect.objectContaining({ kind: expect.any(String) }), data: expect.objectContaining({ detail: 'A drill' }) });
    expect(JSON.stringify(subscriber.left)).not.toMatch(new RegExp(`Elsewhere|${foreign}`));

    subscriber.send({ id: events, type: 'complete' });
    await incident('After');
    await about(incidents, ({ detail }) => detail === 'After');
    expect(JSON.stringify(subscriber.left.filter((message) => message.id === events))).not.toContain('After');
  });

  it('resume behind a position', async () => {
    const subscriber = await subscriberOf(server.admin.key);
    const told = subscriber.subscribe('subscription { eventAppended(after: "0", types: ["SiteCreated"]) { type siteId } }');
    expect((await subscriber.told(told)).data.eventAppended).toEqual({ type: 'SiteCreated', siteId: 'site_demo' });
  });

  it('know nobody without a key, and take the site that a key reaches', async () => {
    const stranger = await Subscriber.open(server.url);
    stranger.send({ type: 'connection_init', payload: { authorization: 'Bearer hk_nobody' } });
    expect(await stranger.closed).toMatchObject({ code: 4401, reason: 'UNAUTHENTICATED' });
    const silent = await Subscriber.open(server.url);
    silent.send({ id: '1', type: 'subscribe', payload: { query: 'subscription { eventAppended { position } }' } });
    await silent.closed;
    expect(silent.left.map(({ type }) => type)).not.toContain('next');
    const lost = await Subscriber.open(server.url);
    lost.send({ type: 'connection_init', payload: { authorization: `Bearer ${server.admin.key}`, 'x-site-id': 'site_nobodys' } });
    expect(await lost.closed).toMatchObject({ code: 4401, reason: 'CROSS_SITE' });
  });

  it('open to a key what the API opens to it', async () => {
    const subscriber = await subscriberOf(agent.key);
    const foreign = await newRun(other);
    const events = subscriber.subscribe('subscription { eventAppended { position } }');
    const run = subscriber.subscribe('subscription ($id: ID) { runUpdated(runId: $id) { id } }', { id: foreign });
    for (const id of [events, run]) expect(await subscriber.told(id)).toEqual({ error: [expect.objectContaining({ extensions: { code: 'FORBIDDEN', status: 403 } })] });
  });

  it('are valid and within the limits, or do not begin', async () => {
    const subscriber = await subscriberOf(server.admin.key);
    const nothing = subscriber.subscribe('subscription { nothing }');
    const deep = subscriber.subscribe(`subscription { runUpdated { goal { ${'parentGoal { '.repeat(11)} id ${'} '.repeat(11)} } } }`);
    const query = subscriber.subscribe('{ goals { position } }');
    for (const id of [nothing, deep]) expect(await subscriber.told(id)).toEqual({ error: [expect.objectContaining({ extensions: expect.objectContaining({ code: 'VALIDATION_FAILED' }) })] });
    expect(Object.keys(await subscriber.told(query))).toEqual(['error']);
    const many = Array.from({ length: 21 }, () => subscriber.subscribe('subscription { incidentOpened { id } }'));
    expect((await subscriber.told(many.at(-1)!)).error[0].extensions.code).toBe('OVERLOADED');
  });

  it('are no way in for other protocols or at other places', async () => {
    await expect(Subscriber.open(server.url, 'graphql-ws')).rejects.toThrow('refused');
    const upgraded = await new Promise<number | undefined>((resolve, reject) => {
      const { port } = new URL(server.url);
      request({ port, path: '/api/v1/agent/goals', headers: { connection: 'Upgrade', upgrade: 'websocket', authorization: `Bearer ${server.admin.key}` } }, ({ statusCode }) => resolve(statusCode)).on('error', reject).end();
    });
    expect(upgraded).toBe(404);
  });

  it('end when the server stops', async () => {
    const subscriber = await subscriberOf(server.admin.key);
    subscriber.subscribe('subscription { runUpdated { id } }');
    const from = performance.now();
    await server.stop();
    await subscriber.closed;
    expect(performance.now() - from).toBeLessThan(8_000);
  });
});
