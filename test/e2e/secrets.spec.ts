import { describe, expect, it } from '@jest/globals';
import { everyText } from './every-text';
import { ARGUMENTS, foundIn, MASK, PLANTED, secretCalls, SHOWN } from './secret-calls';
import type { Body } from './server';

describe('A call with secrets in its arguments', () => {
  const { start, useServer, asking, call, park, decide, keysOf, keysGone, eventsOf, sentTo, outside, pool, server, admin, agent, traces } = secretCalls();

  it('[APPR-003] [APPR-019] [APPR-020] [DOOR-015] is shown masked, runs as it was asked for, and its key is destroyed with its outcome', async () => {
    const { runId, goalId } = await asking();
    const { approvalId, callId } = await park(runId);
    expect(await keysOf(runId)).toBe(1);
    const shown = (await admin('GET', `agent/approvals/${approvalId}`)).body.data as Body;
    expect(shown).toMatchObject({
      kind: 'tool_call', subject: 'login', goalId, runId, callId, domain: 'items', arguments: { ...SHOWN, again: false }, policy: 'before_execute', quorum: 1, status: 'pending', agentRole: null,
      requestedAt: expect.any(String), expiresAt: expect.any(String), autoCommitAt: null, approverType: null, approverRunId: null, reason: null, decidedAt: null, deepLink: expect.stringContaining(approvalId),
    });
    expect(shown).not.toHaveProperty('sealed');
    expect((await admin('GET', 'agent/approvals?status=pending')).body.data).toEqual([expect.objectContaining({ arguments: { ...SHOWN, again: false } })]);
    expect(foundIn(await everyText(pool()))).toEqual([]);

    expect((await decide(approvalId, { decision: 'approved', actionDigest: shown.actionDigest })).body.data).toMatchObject({ status: 'approved', call: { status: 'executed' } });
    expect(sentTo()).toEqual([{ ...ARGUMENTS, again: false }]);
    expect(outside().received[0]!.headers['x-crm']).toBe('of-the-crm-and-nobody-else');
    await keysGone(runId);
    const recorded = (await eventsOf(runId)).filter(({ data }) => data.arguments !== undefined);
    expect(recorded.map(({ type, data }) => [type, data.arguments, data.masked, data.argumentsHash])).toEqual(
      ['ToolCallParked', 'ToolCallAuthorised'].map((type) => [type, { ...SHOWN, again: false }, true, expect.stringMatching(/^[0-9a-f]{64}$/)]));
    expect(recorded[1]!.data).toMatchObject({ argumentsHash: recorded[0]!.data.argumentsHash, actionDigest: shown.actionDigest, autonomy: 2, capability: 'items:update', budgetBefore: { toolCalls: 1 } });
  });

  it('[APPR-019] runs as it was asked for although the process that took it died meanwhile', async () => {
    const { runId } = await asking();
    const { approvalId } = await park(runId);
    await server().kill();
    await useServer(await start());
    expect((await decide(approvalId)).body.data.call.status).toBe('executed');
    expect(sentTo()).toEqual([{ ...ARGUMENTS, again: false }]);
    await keysGone(runId);
  });

  it('waits again with its secrets when the approved call fails, until it succeeds', async () => {
    const { runId } = await asking();
    const { approvalId } = await park(runId);
    outside().answer = ({ text }) => ({ status: 500, body: text });
    expect((await decide(approvalId)).body.data).toMatchObject({ status: 'pending', call: { status: 'pending_approval' } });
    await decide(approvalId, { decision: 'approved', arguments: { user: 'eve', password: PLANTED.edited } });
    expect(await keysOf(runId)).toBeGreaterThan(0);
    outside().reset();
    expect((await decide(approvalId)).body.data.call.status).toBe('executed');
    expect(sentTo()).toEqual([{ ...ARGUMENTS, again: false }]);
    await keysGone(runId);
  });

  it('runs with the exact arguments of a reviewer who wrote others', async () => {
    const { runId } = await asking();
    const { approvalId } = await park(runId);
    expect((await decide(approvalId, { decision: 'approved', arguments: { user: 'ada', password: PLANTED.edited } })).body.data.call.status).toBe('executed');
    expect(sentTo()).toEqual([{ user: 'ada', password: PLANTED.edited, again: false }]);
    expect((await admin('GET', `agent/approvals/${approvalId}`)).body.data).toMatchObject({ arguments: SHOWN, approvedArguments: { user: 'ada', password: MASK } });
    await keysGone(runId);
  });

  it.each<[string, (runId: string, approvalId: string) => Promise<unknown>]>([
    ['rejected', (_runId, approvalId) => decide(approvalId, { decision: 'rejected', reason: 'Not today' })],
    ['sent back', (_runId, approvalId) => decide(approvalId, { decision: 'changes_requested', reason: 'Not like this' })],
    ['left behind by a run that completes', (runId) => agent('POST', `agent/runs/${runId}/complete`, { result: { note: `used ${PLANTED.github}` } })],
    ['left behind by a run that is cancelled', (runId) => agent('POST', `agent/runs/${runId}/cancel`, {})],
    ['denied at the door when it is approved', async (_runId, approvalId) => {
      await admin('PUT', 'agent/policies', { rules: [{ name: 'no logins', when: { tool: 'login' }, then: { do: 'deny' } }] });
      await decide(approvalId);
      await admin('PUT', 'agent/policies', { rules: [] });
    }],
  ])('[APPR-019] can never be read again once it is %s', async (_what, end) => {
    const { runId } = await asking();
    const { approvalId } = await park(runId);
    await end(runId, approvalId);
    await keysGone(runId);
    expect(outside().received).toEqual([]);
  });

  it('[APPR-021] is refused when it sends a mask back, and so is a reviewer who does', async () => {
    const { runId } = await asking();
    const answer = (await call(runId, { user: 'ada', password: MASK, options: { deep: [`x ${MASK}`] } })).data;
    expect(answer).toMatchObject({ status: 'denied', reason: 'invalid_arguments', rule: 'input', facts: { errors: [{ path: '/options/deep/0' }, { path: '/password', message: expect.stringContaining('send the secret itself') }] } });
    const { approvalId } = await park(runId);
    const decided = await decide(approvalId, { decision: 'approved', arguments: SHOWN });
    expect([decided.status, decided.body.code, decided.body.facts.errors[0].pointer]).toEqual([422, 'VALIDATION_FAILED', '/arguments/note']);
    expect((await admin('GET', `agent/approvals/${approvalId}`)).body.data.status).toBe('pending');
    expect(outside().received).toEqual([]);
    await decide(approvalId);
    await keysGone(runId);
  });

  it('is asked once when it waits already, also by two requests at once', async () => {
    const { runId } = await asking();
    const [first, second] = await Promise.all([park(runId), park(runId)]);
    expect(second).toEqual(first);
    expect(await keysOf(runId)).toBe(1);
    expect(await park(runId, { ...ARGUMENTS, password: `${PLANTED.password}!` })).not.toEqual(first);
    await decide(first.approvalId);
    expect(sentTo()).toEqual([{ ...ARGUMENTS, again: false }]);
    await agent('POST', `agent/runs/${runId}/cancel`, {});
    await keysGone(runId);
  });

  it('leaves no trace of them in any row, answer, stream or log line, and every decision can be taken again', async () => {
    expect(await traces()).toEqual({ rows: [], answers: [], lines: [] });
  });
});
