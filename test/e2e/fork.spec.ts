import { describe, expect, it } from '@jest/globals';
import { jobs } from './jobs';
import type { Body } from './server';

describe('Forking a run', () => {
  const { server, agent, reviewer, eventsOf, ran, open, newItem } = jobs();
  const fork = (runId: string, atCallId: string, overrides?: Body, by = agent()) => by('POST', `agent/runs/${runId}/fork`, { atCallId, ...(overrides && { overrides }) });
  const callOn = async (runId: string, tool: string, args: Body, callId: string) => (await agent()('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: args, callId })).body;

  it('[RUN-040] [RUN-041] answers the calls before the fork from history, and runs those after it live through the door', async () => {
    const { runId, call } = await open();
    const first = await call('note', { word: 'one' }, 'a');
    await call('breakThings', {}, 'b');
    await call('noSuchTool', {}, 'c');
    await call('note', { word: 'two' }, 'd');
    const before = await eventsOf(runId);
    const answer = await fork(runId, 'd', { agentName: 'robot-2', budget: { maxToolCalls: 2 } });
    expect([answer.status, answer.body.data]).toEqual([201, {
      goalId: expect.any(String), runId: expect.any(String), goalStatus: 'running', runStatus: 'running', forkOf: runId, atCallId: 'd', inherited: ['a', 'b', 'c'],
    }]);
    const forked = answer.body.data.runId as string;
    const told = [await callOn(forked, 'note', { word: 'one' }, 'a'), await callOn(forked, 'breakThings', {}, 'b'), await callOn(forked, 'noSuchTool', {}, 'c')];
    expect(told[0].data).toEqual(first.data);
    expect(told.map(({ data }) => [data.status, data.reason])).toEqual([['executed', undefined], ['failed', 'The press is jammed'], ['denied', 'tool_not_registered']]);
    expect(ran.filter((word) => word === 'one')).toHaveLength(1);
    expect((await eventsOf(forked)).map(({ type }) => type as string)).toEqual(['RunStarted', 'EnvelopeSealed', 'RunForked']);
    // From here on it is a run like any other: it runs what it is asked for, and the door has the last word.
    expect((await callOn(forked, 'note', { word: 'three' }, 'd')).data).toMatchObject({ status: 'executed', result: { word: 'three' } });
    const itemId = await newItem((tool, args) => callOn(forked, tool, args as Body, 'made'));
    expect((await callOn(forked, 'deleteItem', { collection: 'products', id: itemId }, 'e')).data).toMatchObject({ status: 'denied', reason: 'budget_tool_calls' });
    expect(ran.filter((word) => word === 'three')).toHaveLength(1);
    expect((await agent()('GET', `agent/runs/${forked}`)).body.data).toMatchObject({ agentName: 'robot-2', stopReason: 'budget_tool_calls', envelope: { forkOf: runId, budget: { maxToolCalls: 2 } } });
    expect(await eventsOf(runId)).toEqual(before);
  });

  it('[RUN-041] asks a person after the fork as well', async () => {
    const { runId, call } = await open();
    await call('note', { word: 'before' }, 'a');
    await call('note', { word: 'after' }, 'b');
    const forked = (await fork(runId, 'b', { approvalPolicy: 'before_execute' })).body.data.runId as string;
    expect((await callOn(forked, 'note', { word: 'before' }, 'a')).data.status).toBe('executed');
    const asked = (await callOn(forked, 'note', { word: 'after' }, 'b')).data;
    expect(asked.status).toBe('pending_approval');
    expect(ran.filter((word) => word === 'after')).toHaveLength(1);
    expect((await reviewer()('POST', `agent/approvals/${asked.approvalId}/decide`, { decision: 'approved' })).body.data.call.status).toBe('executed');
    expect(ran.filter((word) => word === 'after')).toHaveLength(2);
  });

  it('takes an inherited call for no other action', async () => {
    const { runId, call } = await open();
    await call('note', { word: 'mine' }, 'a');
    await call('note', { word: 'last' }, 'b');
    const forked = (await fork(runId, 'b')).body.data.runId as string;
    for (const [tool, args] of [['note', { word: 'other' }], ['draw', { bytes: 1 }]] as const) {
      expect(await callOn(forked, tool, args, 'a')).toMatchObject({ status: 422, code: 'IDEMPOTENCY_MISMATCH' });
    }
    expect(ran).not.toContain('other');
  });

  it('can be forked again, before and after its own fork', async () => {
    const { runId, call } = await open();
    for (const callId of ['a', 'b', 'c']) await call('note', { word: `again-${callId}` }, callId);
    const second = (await fork(runId, 'c')).body.data.runId as string;
    await callOn(second, 'note', { word: 'again-x' }, 'x');
    await callOn(second, 'note', { word: 'again-y' }, 'y');
    const later = (await fork(second, 'y')).body.data;
    expect(later.inherited).toEqual(['a', 'b', 'x']);
    expect((await callOn(later.runId, 'note', { word: 'again-a' }, 'a')).data.result).toEqual({ word: 'again-a' });
    expect((await callOn(later.runId, 'note', { word: 'again-x' }, 'x')).data.result).toEqual({ word: 'again-x' });
    expect((await fork(second, 'b')).body.data.inherited).toEqual(['a']);
    expect(ran.filter((word) => word.startsWith('again-')).toSorted()).toEqual(['again-a', 'again-b', 'again-c', 'again-x', 'again-y']);
  });

  it('does not inherit what never got an answer', async () => {
    const { runId, call } = await open({ approvalPolicy: 'before_execute' });
    expect((await call('note', { word: 'open' }, 'a')).data.status).toBe('pending_approval');
    await call('listCollections', {}, 'b');
    expect((await fork(runId, 'b')).body.data.inherited).toEqual([]);
  });

  it('is refused where there is no such call, to strangers, and where it would loosen what bounds the run', async () => {
    const { runId, call } = await open({ autonomyCap: 1, approvalPolicy: 'before_commit' });
    await call('listCollections', {}, 'a');
    expect(await fork(runId, 'nowhere')).toMatchObject({ status: 422, body: { facts: { errors: [{ pointer: '/atCallId' }] } } });
    expect((await fork(runId, 'a', {}, reviewer())).status).toBe(403);
    expect((await fork(runId, 'a', { autonomyCap: 2, approvalPolicy: 'none' })).body.facts.errors).toMatchObject([{ pointer: '/overrides/autonomyCap' }, { pointer: '/overrides/approvalPolicy' }]);
    expect((await fork(runId, 'a', { autonomyCap: 0, approvalPolicy: 'before_execute' })).status).toBe(201);
    expect((await server().admin('POST', `agent/runs/${runId}/fork`, { atCallId: 'a', overrides: { task: {} } })).status).toBe(422);
  });
});
