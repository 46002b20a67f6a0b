import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { endedOnce } from '../chaos/run-checks';
import type { EventRow } from '../chaos/event-row';
import { jobs } from './jobs';
import type { Answer, Body } from './server';

const RUNS = 100;
const FINAL = ['succeeded', 'failed', 'cancelled'];
const SCOPES = ['run', 'role', 'site'] as const;
const VERDICTS = ['approved', 'rejected', 'changes_requested'] as const;
const WORDS = ['answer', 'extend', 'escalate'] as const;

/** Everything the API lets somebody do to a run, its goal or its approvals. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('call' as const), tool: fc.constantFrom('note', 'breakThings', 'createApiKey', 'noSuchTool'), again: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('end' as const), way: fc.constantFrom('complete', 'fail', 'cancel') }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('decide' as const), decision: fc.constantFrom(...VERDICTS) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('say' as const), word: fc.constantFrom(...WORDS) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('freeze' as const), scope: fc.constantFrom(...SCOPES) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('goal' as const), way: fc.constantFrom('cancel', 'settle', 'start') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('again' as const), way: fc.constantFrom('retry', 'fork') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('settleCall' as const), way: fc.constantFrom('resolve', 'outcome') }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('Any sequence of API calls', () => {
  const { server, agent, reviewer, open, ran } = jobs();

  /** What stands in the way of one step is no matter here: every refusal is as good as a success. */
  const take = async (one: Step, { runId, goalId }: { runId: string; goalId: string }, made: { callId?: string; approvalId?: string }): Promise<unknown> => {
    const admin = server().admin;
    switch (one.do) {
      case 'call': {
        const callId = one.again ? (made.callId ?? 'first') : randomUUID();
        made.callId = callId;
        const { body } = await agent()('POST', `agent/runs/${runId}/tool-calls`, { tool: one.tool, arguments: one.tool === 'note' ? { word: 'model' } : {}, callId });
        if (body?.data?.approvalId) made.approvalId = body.data.approvalId as string;
        return;
      }
      case 'end':
        return agent()('POST', `agent/runs/${runId}/${one.way}`, one.way === 'fail' ? { reason: 'Enough' } : {});
      case 'decide':
        return made.approvalId && reviewer()('POST', `agent/approvals/${made.approvalId}/decide`, { decision: one.decision, reason: 'So be it' });
      case 'say':
        return made.approvalId && admin('POST', `agent/approvals/${made.approvalId}/${one.word}`, one.word === 'answer' ? { text: 'Why?' } : one.word === 'extend' ? { until: new Date(Date.now() + 8_640_000).toISOString() } : {});
      case 'freeze': {
        const target = { scope: one.scope, ...(one.scope === 'run' ? { targetId: runId } : one.scope === 'role' ? { targetId: 'Writer' } : {}) };
        await admin('POST', 'agent/kill-switch', target);
        await agent()('POST', `agent/runs/${runId}/tool-calls`, { tool: 'note', arguments: { word: 'frozen' } });
        return one.scope === 'run' ? undefined : admin('POST', 'agent/kill-switch/lift', target);
      }
      case 'goal':
        return admin('POST', `agent/goals/${goalId}/${one.way}`, {});
      case 'again':
        return agent()('POST', `agent/runs/${runId}/${one.way}`, one.way === 'fork' ? { atCallId: made.callId ?? 'first' } : {});
      case 'settleCall':
        return admin('POST', `agent/runs/${runId}/tool-calls/${made.callId ?? 'first'}/${one.way}`, one.way === 'resolve' ? { answer: 'failed', reason: 'Looked' } : { status: 'executed', result: 1 });
    }
  };

  it(`[RUN-011] L12: no run ever leaves a terminal status, over ${RUNS} sequences`, async () => {
    let [terminal, refused] = [0, 0];
    const opened = fc.record({ agentRole: fc.constantFrom(undefined, 'Writer'), approvalPolicy: fc.constantFrom('none', 'before_execute'), queued: fc.boolean() });
    await fc.assert(fc.asyncProperty(opened, fc.array(step, { minLength: 3, maxLength: 10 }), async ({ queued, ...more }, steps) => {
      const run = await open({ ...more, ...(queued && { execution: 'async', task: { skillName: 'note', arguments: { word: 'queued' } } }) });
      const made: { callId?: string; approvalId?: string } = {};
      let ended: Body;
      for (const one of steps) {
        await take(one, run, made);
        const { status, stopReason, approvals } = (await agent()('GET', `agent/runs/${run.runId}`)).body.data;
        made.approvalId ??= approvals.at(-1);
        if (ended) expect({ status, stopReason }).toEqual(ended);
        else if (FINAL.includes(status as string)) [ended, terminal] = [{ status, stopReason }, terminal + 1];
        if (ended) refused++;
      }
    }), { numRuns: RUNS });
    // Retries and forks opened further runs, and the queue carried some out: all of their streams are looked at.
    const rows = (await server().log()) as EventRow[];
    expect(endedOnce(rows)).toEqual([]);
    expect(terminal).toBeGreaterThan(RUNS / 4);
    process.stdout.write(`${terminal} of ${RUNS} runs ended, and ${refused} calls came afterwards\n`);
  }, 150_000);

  it(`[API-011] L14: equal requests with one idempotency key cause one effect and get the same answer, ${RUNS} times`, async () => {
    const { runId } = await open({ budget: { maxToolCalls: 10_000, timeoutMs: 600_000 } });
    const requests: Readonly<Record<string, (mark: string) => readonly [string, Body]>> = {
      item: (mark) => ['items/products', { data: { sku: 'I-1', title: mark } }],
      goal: (mark) => ['agent/goals', { title: mark, agentName: 'robot' }],
      task: (mark) => ['agent/goals', { title: mark, agentName: 'robot', task: { skillName: 'note', arguments: { word: mark } } }],
      later: (mark) => ['agent/goals', { title: mark, agentName: 'robot', execution: 'async', task: { skillName: 'note', arguments: { word: mark } } }],
      call: (mark) => [`agent/runs/${runId}/tool-calls`, { tool: 'createItem', arguments: { collection: 'products', data: { sku: 'I-2', title: mark } } }],
      refused: (mark) => [`agent/runs/${runId}/tool-calls`, { tool: mark, arguments: {} }],
    };
    const effects = { item: 'ItemCreated', goal: 'GoalCreated', task: 'GoalCreated', later: 'GoalCreated', call: 'ItemCreated', refused: 'ToolCallDenied' } as const;
    const sent: { readonly what: keyof typeof effects; readonly mark: string }[] = [];
    await fc.assert(fc.asyncProperty(fc.constantFrom(...(Object.keys(effects) as (keyof typeof effects)[])), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }), async (what, atOnce, afterwards) => {
      const mark = `m-${randomUUID()}`;
      const [path, body] = requests[what]!(mark);
      // Agents change content through tool calls only.
      const ask = () => (what === 'item' ? server().admin : agent())('POST', path, body, { 'idempotency-key': mark });
      const answers: Answer[] = await Promise.all(Array.from({ length: atOnce }, ask));
      for (let n = 0; n < afterwards; n++) answers.push(await ask());
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect([what, answers[0]!.status < 300 ? '' : answers[0]!.text]).toEqual([what, '']);
      sent.push({ what, mark });
    }), { numRuns: RUNS });
    const log = (await server().log()) as Body[];
    for (const { what, mark } of sent) {
      const found = log.filter(({ type, data }) => type === effects[what] && JSON.stringify(data).includes(mark));
      expect([what, found.length]).toEqual([what, 1]);
      if (what === 'task') expect(ran.filter((word) => word === mark)).toHaveLength(1);
    }
  }, 120_000);
});
