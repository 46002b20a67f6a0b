import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Harness } from '../../libs/sdk/src';
import { testServer, type Body, type TestServer } from './server';

describe('The SDK with a tool that the agent carries out itself', () => {
  let server: TestServer;
  let harness: Harness;
  let reviewer: Harness;
  beforeAll(async () => {
    server = await testServer();
    const [agent, person] = [await server.newKey({ name: 'robot', capabilities: ['items:update'] }), await server.newKey({ name: 'Ada', kind: 'human', capabilities: ['approvals:decide', 'items:update'] })];
    harness = new Harness({ url: server.url, key: agent.key });
    reviewer = new Harness({ url: server.url, key: person.key });
    await server.admin('PUT', 'agent/tools/shell', {
      kind: 'client', description: 'Runs in the shell of the agent', inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
      requiredCapabilities: ['items:update'], risk: 'write', irreversible: false,
    });
  });
  afterAll(() => server.close());

  const open = (more: Body = {}) => harness.goal({ title: 'Tidy up', agentName: 'robot', ...more });
  const outcomes = async (runId: string) => (await harness.run(runId).events()).filter(({ type }) => /^ToolCall(Succeeded|Failed|Authorised)$/.test(type)).map(({ type }) => type);

  it('asks the door, does the work, and reports its outcome once, however often it is repeated', async () => {
    const run = await open();
    const done: string[] = [];
    const carryOut = () => run.carryOut('shell', { command: 'ls' }, ({ command }, { callId }) => {
      done.push(`${String(command)} ${callId}`);
      return { files: 3 };
    }, { callId: 'c1' });
    expect(await carryOut()).toMatchObject({ callId: 'c1', status: 'executed', result: { files: 3 } });
    expect(await carryOut()).toMatchObject({ status: 'executed', result: { files: 3 } });
    expect(done).toEqual(['ls c1']);
    expect(await run.carryOut('shell', { command: 'rm' }, () => Promise.reject(new Error('No such file\0')))).toMatchObject({ status: 'failed', reason: 'No such file', rule: 'reported' });
    expect(await run.carryOut('shell', { order: 'ls' }, () => done.push('never'))).toMatchObject({ status: 'denied', reason: 'invalid_arguments' });
    expect(done).toHaveLength(1);
    expect(await outcomes(run.runId)).toEqual(['ToolCallAuthorised', 'ToolCallSucceeded', 'ToolCallAuthorised', 'ToolCallFailed']);
  });

  it('goes on under the same call id after a crash between the answer of the door and the report', async () => {
    const run = await open();
    const crash = new AbortController();
    const broken = run.carryOut('shell', { command: 'ls' }, () => {
      crash.abort(new Error('crashed'));
      throw new Error('broken off');
    }, { callId: 'c1', signal: crash.signal });
    await expect(broken).rejects.toThrow('crashed');
    expect(await outcomes(run.runId)).toEqual(['ToolCallAuthorised']);
    const [first, second] = await Promise.all([1, 2].map((n) => harness.run(run.runId).carryOut('shell', { command: 'ls' }, () => n, { callId: 'c1' })));
    expect(second).toEqual(first);
    expect(first).toMatchObject({ status: 'executed' });
    expect(await outcomes(run.runId)).toEqual(['ToolCallAuthorised', 'ToolCallSucceeded']);
  });

  it('waits for the approval if it is told to, and works with the arguments that were approved', async () => {
    const run = await open({ approvalPolicy: 'before_execute' });
    const asked = await run.carryOut('shell', { command: 'rm -r' }, () => 'never', { callId: 'c1' });
    expect(asked).toMatchObject({ status: 'pending_approval' });
    const [waiting, settled] = [
      run.carryOut('shell', { command: 'rm -r' }, ({ command }) => command, { callId: 'c1', waitForApproval: true }), run.waitForApproval(asked.approvalId!),
    ];
    const { data } = await reviewer.approvals.decide(asked.approvalId!, { decision: 'approved', arguments: { command: 'rm' } });
    expect(data).toMatchObject({ status: 'approved', call: { status: 'indeterminate', rule: 'client_executes' } });
    expect(await waiting).toMatchObject({ callId: 'c1', status: 'executed', result: 'rm' });
    expect(await settled).toMatchObject({ status: 'approved', call: { callId: 'c1', status: 'indeterminate', rule: 'client_executes' } });
    const refused = run.carryOut('shell', { command: 'dd' }, () => 'never', { callId: 'c2', waitForApproval: true });
    const [pending] = await pendingOf(run.runId);
    await reviewer.approvals.decide(pending!, { decision: 'rejected', reason: 'No' });
    expect(await refused).toMatchObject({ callId: 'c2', status: 'denied', reason: 'rejected' });
  });

  /** The approvals that the run waits for, as soon as there is one. */
  const pendingOf = async (runId: string): Promise<string[]> => {
    for await (const { type, data } of reviewer.run(runId).stream()) {
      if (type === 'ToolCallParked' && data['callId'] === 'c2') return [data['approvalId'] as string];
    }
    return [];
  };

  it('says that it was done when only its result cannot be told', async () => {
    const run = await open();
    const circular: Body = {};
    circular.self = circular;
    for (const result of ['a\0b', 'x'.repeat(6_000_000), circular, 1n]) {
      const answer = await run.carryOut('shell', { command: 'ls' }, () => result);
      expect([answer.status, answer.rule, answer.reason]).toEqual(['failed', 'reported', expect.stringMatching(/\w/)]);
    }
  });

  it('is driven by the token of its run alone', async () => {
    const run = await open();
    const { data } = await run.token(60);
    const other = new Harness({ url: server.url, key: data.token }).run(run.runId);
    expect(await other.carryOut('shell', { command: 'ls' }, () => 1)).toMatchObject({ status: 'executed', result: 1 });
    await expect(new Harness({ url: server.url, key: data.token }).goals.list()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
