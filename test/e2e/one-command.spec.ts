import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { NatsCommands } from '@app/sdk/nats';
import { runHarness } from '../../apps/cli/src/testing/run-harness';
import { shipped } from '../architecture/sources';
import { testNats, type TestNats } from '../nats';
import { eventually } from './eventually';
import { asking } from './graphql-client';
import { ask } from './mcp/clients';
import { ADMIN_KEY, testServer, type Api, type Body, type TestServer } from './server';
import { collector } from './traced-spans';

const SOURCES = [...shipped('libs'), ...shipped('apps')];
const REGISTRY = new Set(SOURCES.flatMap(({ text }) => [...text.matchAll(/class (\w+) extends Command</g)].map(([, name]) => name!)));
/** What files of this kind put on the bus. */
const sentBy = (kind: (path: string) => boolean) =>
  new Set(SOURCES.filter(({ path }) => kind(path)).flatMap(({ text }) => [...text.matchAll(/new (\w+)\(/g)].map(([, name]) => name!)).filter((name) => REGISTRY.has(name)));

const isNats = (path: string) => /\/nats[^/]*\.controller\.ts$|worker-rpc\.controller\.ts$|^libs\/nats\//.test(path);
const isMcp = (path: string) => path.startsWith('libs/mcp-endpoint/');
const isRest = (path: string) => path.endsWith('.controller.ts') && !isNats(path) && !isMcp(path);
/** Actions that only MCP has: the run that a connection gets without asking for one, and the refusal of a skill whose list it is not on. */
const OF_MCP_ALONE = ['DenyControlPlane', 'OpenGoal'];

/** What is done, whichever way it comes in; the server tells by the spans of its bus which command it was. */
const ACTIONS = ['CreateGoal', 'RequestToolCall', 'DecideApproval', 'CancelGoal', 'FreezeScope', 'LiftFreeze'] as const;

describe('A command', () => {
  let sink: Awaited<ReturnType<typeof collector>>;
  let nats: TestNats;
  let connection: NatsConnection;
  let server: TestServer;
  let agent: Api;
  let runId: string;

  beforeAll(async () => {
    [sink, nats] = await Promise.all([collector(), testNats()]);
    server = await testServer({ OTEL_EXPORTER_OTLP_ENDPOINT: sink.url, NATS_URL: nats.url });
    connection = await connect({ servers: nats.url });
    agent = await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:write', 'items:delete'] });
    await server.admin('PUT', 'settings', { contentOs: { mcp: true } });
    runId = (await agent('POST', 'agent/goals', { title: 'Work', agentName: 'robot' })).body.data.runId as string;
  });
  afterAll(async () => {
    await connection.close();
    await server.close();
    await Promise.all([sink.close(), nats.stop()]);
  });

  it('[ARCH-006] of the registry comes from the routes, and what NATS and MCP send is one that the routes send; GraphQL, CLI and SDK send none of their own', () => {
    const rest = sentBy(isRest);
    expect(REGISTRY.size).toBeGreaterThan(100);
    expect([...REGISTRY].filter((name) => !sentBy(() => true).has(name))).toEqual([]);
    expect([...sentBy(isNats)].sort()).toEqual(['CreateGoal', 'DecideApproval', 'RequestToolCall']);
    expect([...sentBy(isNats)].filter((name) => !rest.has(name))).toEqual([]);
    expect([...sentBy(isMcp)].filter((name) => !rest.has(name)).sort()).toEqual(OF_MCP_ALONE);
    expect([...sentBy((path) => /^(apps\/cli|libs\/graphql|libs\/sdk)\//.test(path))]).toEqual([]);
  });

  const tool = { tool: 'listItems', arguments: { collection: 'products' } };
  const held = async () => {
    const { id } = (await server.admin('POST', 'items/products', { data: { sku: `S-${Math.random()}`, title: 'Pot' } })).body.data;
    return (await agent('POST', `agent/runs/${runId}/tool-calls`, { tool: 'deleteItem', arguments: { collection: 'products', id } })).body.data.approvalId as string;
  };
  const newGoal = async () => (await agent('POST', 'agent/goals', { title: 'Short', agentName: 'robot' })).body.data.goalId as string;
  const goal = { title: 'Work', agentName: 'robot' };

  it.each<{ readonly command: (typeof ACTIONS)[number]; readonly prepare?: () => Promise<string>; readonly ways: Readonly<Record<string, (id: string) => Promise<unknown>>> }>([
    {
      command: 'CreateGoal',
      ways: {
        REST: () => agent('POST', 'agent/goals', goal),
        GraphQL: () => asking(agent)('mutation ($input: CreateGoalInput!) { createGoal(input: $input) { position } }', { input: goal }),
        NATS: () => new NatsCommands({ connection, key: agent.key }).createGoal(goal),
      },
    },
    {
      command: 'RequestToolCall',
      ways: {
        REST: () => agent('POST', `agent/runs/${runId}/tool-calls`, tool),
        GraphQL: () => asking(agent)('mutation ($runId: ID!, $input: RequestToolCallInput!) { requestToolCall(runId: $runId, input: $input) { position } }', { runId, input: tool }),
        NATS: () => new NatsCommands({ connection, key: agent.key }).requestToolCall(runId, tool),
        MCP: () => ask(agent, 'tools/call', { name: tool.tool, arguments: tool.arguments }, { headers: { 'x-run-id': runId } }),
      },
    },
    {
      command: 'DecideApproval', prepare: held,
      ways: {
        REST: (id) => server.admin('POST', `agent/approvals/${id}/decide`, { decision: 'rejected', reason: 'No' }),
        GraphQL: (id) => asking(server.admin)('mutation ($id: ID!, $input: DecideApprovalInput!) { decideApproval(approvalId: $id, input: $input) { position } }', { id, input: { decision: 'rejected', reason: 'No' } }),
        NATS: (id) => new NatsCommands({ connection, key: ADMIN_KEY }).decideApproval(id, { decision: 'rejected', reason: 'No' }),
        CLI: (id) => harness('approvals', 'decide', id, 'rejected', '--reason', 'No'),
      },
    },
    { command: 'CancelGoal', prepare: newGoal, ways: { REST: (id) => server.admin('POST', `agent/goals/${id}/cancel`, {}), CLI: (id) => harness('goals', 'cancel', id) } },
    {
      command: 'FreezeScope',
      ways: {
        REST: () => server.admin('POST', 'agent/kill-switch', { scope: 'role', targetId: 'Writer', reason: 'Drill' }),
        GraphQL: () => asking(server.admin)('mutation { freeze(input: { scope: role, targetId: "Planner", reason: "Drill" }) { position } }'),
      },
    },
    {
      command: 'LiftFreeze',
      ways: {
        REST: () => server.admin('POST', 'agent/kill-switch/lift', { scope: 'role', targetId: 'Writer' }),
        GraphQL: () => asking(server.admin)('mutation { liftFreeze(input: { scope: role, targetId: "Planner" }) { position } }'),
      },
    },
  ])('[ARCH-006] is $command by every way in', async ({ command, prepare, ways }) => {
    const ids: string[] = [];
    for (const _way of Object.keys(ways)) ids.push((await prepare?.()) ?? '');
    const before = await spansSoFar();
    for (const [nr, [way, send]] of Object.entries(ways).entries()) expect([way, failureIn(await send(ids[nr]!))]).toEqual([way, undefined]);
    const seen = (await spansSoFar()).slice(before.length).map(({ name }) => name.replace(/^command /, '')).filter((name) => (ACTIONS as readonly string[]).includes(name));
    expect(seen).toEqual(Object.keys(ways).map(() => command));
  });

  const harness = (...args: readonly string[]) => runHarness([...args], { env: { HARNESS_URL: server.url, HARNESS_KEY: ADMIN_KEY } });
  /** What an answer of any of the ways complains of. */
  const failureIn = (answer: unknown): unknown => {
    const { status, errors, code, err, body } = (answer ?? {}) as Body;
    if (typeof status === 'number' && status >= 300) return body ?? status;
    return errors ?? body?.errors ?? body?.error ?? (body?.result?.isError ? body.result : undefined) ?? (typeof code === 'number' && code !== 0 ? err : undefined);
  };
  let marks = 0;
  /** Spans are sent in the order in which they end: when that of a request made now is here, all earlier ones are. */
  const spansSoFar = async () => {
    const traceId = String(++marks).padStart(32, 'a');
    await server.admin('GET', 'agent/roles', undefined, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
    await eventually(() => Promise.resolve(sink.spans.some((span) => span.traceId === traceId && span.kind === 2)), Boolean);
    return [...sink.spans];
  };
});
