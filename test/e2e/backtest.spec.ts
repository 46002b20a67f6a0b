import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtCheckout, CommandLine } from './command-line';
import { jobs, type Job } from './jobs';
import { Processes } from './processes';
import { ADMIN_KEY, type Api, type Body } from './server';

const DEAR = [{ name: 'no words', when: { tool: 'note', arguments: [{ path: '/word', matches: '^x' }] }, then: { do: 'deny' }, reason: 'Not that word' }];

describe('Backtests over HTTP', () => {
  const { server, open } = jobs();
  const processes = new Processes();
  let auditor: Api;
  let job: Job;
  let middle: string;

  beforeAll(async () => {
    auditor = await server().newKey({ name: 'Auditor', kind: 'human', capabilities: ['audit:read'] });
    job = await open({ agentRole: 'Writer', budget: { maxToolCalls: 900 } });
    for (const word of ['x1', 'y1']) await job.call('note', { word });
    middle = String(await server().head());
    for (const word of ['x2', 'y2']) await job.call('note', { word });
  });
  afterAll(() => processes.cleanUp());

  const backtest = (body: unknown) => auditor('POST', 'agent/replay/backtest', body);

  it('[REPLAY-008] takes policies, roles or grants and a range, and answers what would have been decided otherwise', async () => {
    const { status, body } = await backtest({ candidate: { policies: DEAR } });
    expect([status, body.data]).toMatchObject([200, { examined: 4, differing: 2 }]);
    expect(body.data.differences.map(({ candidate }: Body) => candidate.decision)).toEqual(['deny', 'deny']);
    expect((await backtest({ candidate: { policies: DEAR }, to: middle })).body.data).toMatchObject({ examined: 2, differing: 1 });
    expect((await backtest({ candidate: { policies: DEAR }, from: String(BigInt(middle) + 1n) })).body.data).toMatchObject({ examined: 2, differing: 1 });
    expect((await backtest({ candidate: { policies: DEAR }, to: '2000-01-01T00:00:00Z' })).body.data).toMatchObject({ examined: 0, differing: 0 });
    const poorer = { roles: [{ name: 'Writer', description: '', capabilities: ['items:read'] }] };
    expect((await backtest({ candidate: poorer })).body.data).toMatchObject({ differing: 4, differences: expect.arrayContaining([expect.objectContaining({ candidate: expect.objectContaining({ reason: 'capability_missing' }) })]) });
    const distrusted = { grants: [{ agentRole: 'Writer', capability: 'items:update', level: 0 }] };
    expect((await backtest({ candidate: distrusted })).body.data).toMatchObject({ differing: 4, differences: expect.arrayContaining([expect.objectContaining({ candidate: expect.objectContaining({ decision: 'ask' }) })]) });
  });

  it('[REPLAY-009] names the call, both decisions and a link that shows the call', async () => {
    const [difference] = (await backtest({ candidate: { policies: DEAR } })).body.data.differences as Body[];
    expect(difference).toMatchObject({
      runId: job.runId, tool: 'note', recorded: { decision: 'execute', reason: null }, candidate: { decision: 'deny', reason: 'policy_denied', rule: 'no words' },
    });
    const shown = (await auditor('GET', difference.link as string)).body.data;
    expect(shown.toolCalls.map(({ callId }: Body) => callId)).toContain(difference.callId);
    expect(shown.decisions.at(-1)).toMatchObject({ callId: difference.callId, eventId: difference.event.eventId });
  });

  it('[REPLAY-010] streams progress and differences, and the result last', async () => {
    const answer = await fetch(`${server().url}/api/v1/agent/replay/backtest`, {
      method: 'POST', headers: { authorization: `Bearer ${auditor.key}`, accept: 'application/x-ndjson', 'content-type': 'application/json' },
      body: JSON.stringify({ candidate: { policies: DEAR } }),
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^application\/x-ndjson/)]);
    const lines = (await answer.text()).trimEnd().split('\n').map((line) => JSON.parse(line) as Body);
    expect(lines.filter((line) => line.difference)).toHaveLength(2);
    expect(lines.find((line) => line.progress).progress).toEqual({ position: expect.any(String), head: expect.any(String), examined: expect.any(Number), differing: expect.any(Number) });
    expect(lines.at(-1)).toEqual({ result: { examined: 4, differing: 2, position: String(await server().head()) } });
  });

  it('refuses what it cannot try, and whoever may not read the audit', async () => {
    const refused = async (body: unknown) => (({ status, body: { code, facts } }) => [status, code, facts?.errors?.[0]?.pointer])(await backtest(body));
    expect(await refused({ candidate: {} })).toEqual([422, 'VALIDATION_FAILED', '/candidate']);
    expect(await refused({ candidate: { constitution: {} } })).toEqual([422, 'VALIDATION_FAILED', '/candidate/constitution/evaluators']);
    const lookahead = { evaluators: [{ id: 'r', type: 'rule', rule: 'regex', field: 'title', value: '(?=a)' }] };
    expect(await refused({ candidate: { constitution: lookahead } })).toEqual([422, 'VALIDATION_FAILED', '/candidate/constitution/evaluators/0/value']);
    const judge = { evaluators: [{ id: 'voice', type: 'llm_judge', prompt: 'Friendly?', threshold: 0.5 }] };
    expect(await refused({ candidate: { constitution: judge } })).toEqual([503, 'LLM_NOT_CONFIGURED', undefined]);
    expect(await refused({ candidate: { policies: [{ name: 'x', when: {}, then: { do: 'shout' } }] } })).toEqual([422, 'VALIDATION_FAILED', expect.stringContaining('/candidate/policies/0')]);
    expect(await refused({ candidate: { policies: [] }, from: 'yesterday' })).toEqual([422, 'VALIDATION_FAILED', '/from']);
    const nobody = await server().newKey({ capabilities: ['items:read'] });
    expect((await nobody('POST', 'agent/replay/backtest', { candidate: { policies: [] } })).status).toBe(403);
  });

  it('[CLI-008] harness backtest tries a file of policies on history and prints the decisions that differ', async () => {
    const folder = await builtCheckout(processes.directory());
    const line = new CommandLine(folder, { HARNESS_URL: server().url, HARNESS_KEY: ADMIN_KEY });
    try {
      const file = join(folder, 'policies.json');
      await writeFile(file, JSON.stringify(DEAR));
      const printed = await line.run(['backtest', '--policies', file]);
      expect(printed).toMatchObject({ code: 0, out: expect.stringMatching(/^2 of 4 decisions would have been others\.\nPOSITION /) });
      expect(printed.out).toMatch(new RegExp(`^#\\d+ +${job.runId} +call_\\w+ +note +execute +deny policy_denied by no words$`, 'm'));
      expect(printed.err).toMatch(/^Examining ={30} 100%$/m);
      expect(JSON.parse((await line.run(['backtest', '--policies', file, '--to', middle, '--json'])).out)).toMatchObject({ examined: 2, differing: 1 });
      expect(await line.run(['backtest', '--policies', join(folder, 'nothing.json')])).toMatchObject({ code: 2 });
    } finally {
      line.cleanUp();
    }
  });

  it('[REPLAY-008] [REPLAY-011] takes a constitution: which writes of content would have been judged otherwise than under the one their run was bound to', async () => {
    const { admin } = server();
    const min = (value: number) => ({ evaluators: [{ id: 'long', type: 'rule', rule: 'min_length', field: 'title', value }] });
    const activated = async (value: number): Promise<Body> => {
      const { data } = (await admin('POST', 'agent/constitution', min(value))).body;
      await admin('POST', `agent/constitution/${data.id}/activate`);
      return data as Body;
    };
    const lenient = await activated(2);
    const bound = await open();
    const strict = await activated(20);
    const from = String((await server().head()) + 1n);
    const made = async (title: string) => (await bound.call('createItem', { collection: 'products', data: { sku: 'C', title } })).data.result.id as string;
    const [short] = [await made('Short'), await made('x'.repeat(30))];
    await admin('POST', 'items/products', { data: { sku: 'D', title: 'By a person' } });
    const to = String(await server().head());
    const before = await server().head();
    const tried = await backtest({ candidate: { constitution: min(10) }, from, to });
    expect([tried.status, tried.body.data]).toMatchObject([200, {
      examined: 3, differing: 2,
      differences: [
        { streamId: `item-${short}`, runId: bound.runId, before: { hash: lenient.hash, allowed: true }, after: { allowed: false, blocking: ['long'] } },
        { runId: null, before: { hash: strict.hash, allowed: false, blocking: ['long'] }, after: { allowed: true } },
      ],
    }]);
    const both = await backtest({ candidate: { constitution: min(10), policies: [{ name: 'no items', when: { tool: 'createItem' }, then: { do: 'deny' } }] }, from, to });
    expect(both.body.data).toMatchObject({ examined: 5, differing: 4 });
    expect((both.body.data.differences as Body[]).map((one) => ('callId' in one ? one.candidate.decision : one.after.allowed))).toEqual([false, true, 'deny', 'deny']);
    const streamed = await fetch(`${server().url}/api/v1/agent/replay/backtest`, {
      method: 'POST', headers: { authorization: `Bearer ${auditor.key}`, accept: 'application/x-ndjson', 'content-type': 'application/json' },
      body: JSON.stringify({ candidate: { constitution: min(10) }, from, to }),
    });
    const lines = (await streamed.text()).trimEnd().split('\n').map((line) => JSON.parse(line) as Body);
    expect(lines.filter((line) => line.difference)).toHaveLength(2);
    expect(lines.at(-1)).toEqual({ result: { examined: 3, differing: 2, position: to } });
    expect(await server().head()).toBe(before);
    // The draft of the site says the same, and it is on record that it was tried.
    const draft = (await admin('POST', 'agent/constitution', min(10))).body.data;
    const { differences } = tried.body.data;
    expect((await admin('POST', `agent/constitution/${draft.id}/backtest`, { from, to })).body.data).toEqual({ constitutionId: draft.id, hash: draft.hash, examined: 3, differing: 2, differences });
    expect((await server().log()).at(-1)).toMatchObject({ type: 'ConstitutionBacktested', stream_id: `constitution-${draft.id}`, data: { hash: draft.hash, from, to, examined: 3, differing: 2 } });
  });
});
