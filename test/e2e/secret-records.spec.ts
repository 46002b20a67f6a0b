import { describe, expect, it } from '@jest/globals';
import { everyText } from './every-text';
import { ARGUMENTS, MASK, MASTER, PLANTED, secretCalls } from './secret-calls';

describe('The record of a call with secrets', () => {
  const { printed, told, start, useServer, open, asking, call, park, decide, keysOf, keysGone, eventsOf, sentTo, processes, outside, pool, server, environment, traces, admin } = secretCalls();

  it('[DOOR-028] has its inputs, outputs and errors on record, without what it was given or what gives itself away', async () => {
    const { runId } = await open();
    outside().answer = ({ text }) => ({ body: { said: text, token: PLANTED.nested, more: [`psql postgres://a:${PLANTED.url}@h/db`], [PLANTED.github]: 1, id: 7 } });
    const one = (await call(runId, ARGUMENTS, 'one')).data;
    expect(one).toMatchObject({ status: 'executed', result: { token: MASK, more: [`psql postgres://a:${MASK}@h/db`], [MASK]: 1, id: 7 } });
    expect(await call(runId, ARGUMENTS, 'one')).toMatchObject({ data: one });
    expect(await call(runId, { ...ARGUMENTS, password: 'another-password' }, 'one')).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
    outside().answer = () => ({ status: 400, body: `the password ${PLANTED.password} is wrong` });
    expect((await call(runId, ARGUMENTS, 'two')).data).toMatchObject({ status: 'failed' });
    outside().reset();
    expect((await call(runId, { user: 'ada', password: 'result' }, 'four')).data).toMatchObject({ status: 'executed', result: { done: expect.any(String) } });
    expect((await call(runId, { ...ARGUMENTS, user: 7 }, 'three')).data).toMatchObject({ status: 'denied', reason: 'invalid_arguments' });
    const recorded = (await eventsOf(runId)).filter(({ type }) => /^ToolCall(Authorised|Denied)/.test(type as string));
    expect(recorded.map(({ data }) => [data.callId, data.arguments.password, data.masked])).toEqual([['one', MASK, true], ['two', MASK, true], ['four', MASK, true], ['three', MASK, true]]);
    expect(new Set(recorded.slice(0, 2).map(({ data }) => data.argumentsHash)).size).toBe(1);
    await keysGone(runId);
  });

  it('keeps them while its task waits for a worker', async () => {
    const { runId, runStatus } = await open({ execution: 'async', task: { skillName: 'login', arguments: ARGUMENTS } });
    expect(runStatus).toBe('queued');
    await outside().until(1);
    expect(sentTo()).toEqual([{ ...ARGUMENTS, again: false }]);
    await keysGone(runId as string);
    expect((await open({ task: { skillName: 'login', arguments: ARGUMENTS } })).result.status).toBe('executed');
  });

  it('may hold names instead, which hide nothing, and what a name stands for is only ever put in by the executor', async () => {
    const { runId } = await asking();
    const args = { user: 'ada', password: 'secret://crm' };
    const { approvalId } = await park(runId, args);
    expect((await admin('GET', `agent/approvals/${approvalId}`)).body.data.arguments).toEqual({ ...args, again: false });
    expect(await keysOf(runId)).toBe(0);
    expect((await decide(approvalId)).body.data.call.status).toBe('executed');
    expect(outside().received[0]!.headers['x-crm']).toBe('of-the-crm-and-nobody-else');
    expect([await everyText(pool()), ...told].join('\n')).not.toContain('of-the-crm-and-nobody-else');
  });

  it('leaves no trace of them in any row, answer, stream or log line, and every decision can be taken again', async () => {
    expect(await traces()).toEqual({ rows: [], answers: [], lines: [] });
  });

  it('is safe from a process with another master key, which does not start, until the key is replaced', async () => {
    const { runId } = await asking();
    const { approvalId } = await park(runId);
    const next = 'cd'.repeat(32);
    const wrong = await processes.launch({ ...environment(), PORT: '0', HARNESS_MASTER_KEY: next });
    expect(await wrong.exited).toMatchObject({ code: 1 });
    expect(wrong.output()).toMatch(/^This database was sealed with another master key\. Give every process the same HARNESS_MASTER_KEY[^\n]*\n$/m);
    await server().stop();
    await useServer(await start({ HARNESS_MASTER_KEY: next, HARNESS_PREVIOUS_MASTER_KEY: MASTER }));
    expect((await decide(approvalId)).body.data.call.status).toBe('executed');
    expect(sentTo()).toEqual([{ ...ARGUMENTS, again: false }]);
    expect(printed.map((output) => output()).join('\n')).not.toMatch(new RegExp(`${MASTER}|${next}`));
  });
});
