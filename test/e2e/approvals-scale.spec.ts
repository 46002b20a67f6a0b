import { describe, expect, it } from '@jest/globals';
import { newId, PostgresEventStore } from '@app/event-store';
import { toolOf, governance, type Governance, type GovernanceEvent } from '@app/governance/contract';
import { prepareAction } from '@app/tool-calls';
import { catalogue } from '../../apps/gateway/src/composition';
import { jobs } from './jobs';
import { type Body } from './server';

const RUNS = 50;
const CALLS = 200;
const SINGLY = 400;
const BATCH = 100;
const MEBIBYTE = 1_048_576;

const percentile = (values: readonly number[], share: number) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;

describe('Ten thousand approvals that wait', () => {
  const { ran, server, agent, reviewer, open } = jobs({ replayed: false });

  /** A call as the door parked it, again and again with another word: what ten thousand requests would have written. */
  const parkedLike = (events: readonly Body[], site: ReturnType<typeof toolOf>, siteId: string, runId: string, goalId: string, nr: number, word: string) => {
    const [callId, approvalId] = [newId('call'), newId('appr')];
    const { action } = prepareAction({ siteId, runId, callId, tool: 'note', arguments: { word } }, site);
    const data = (type: string): Body => events.find((event) => event.type === type)!.data;
    return {
      approvalId,
      run: [
        { type: 'ToolCallParked', data: { ...data('ToolCallParked'), ...action, approvalId, budgetBefore: { ...data('ToolCallParked').budgetBefore, toolCalls: nr } } },
        { type: 'RunParked', data: { callId, approvalId } },
      ],
      approval: { type: 'ApprovalRequested', data: { ...data('ApprovalRequested'), approvalId, runId, goalId, callId, arguments: action.arguments, actionDigest: action.actionDigest } },
    };
  };

  it('[APPR-058] are listed and decided, each once', async () => {
    const store = new PostgresEventStore({ connection: { connectionString: server().databaseUrl }, catalogue });
    await store.start();
    const sample = await open({ approvalPolicy: 'before_execute' });
    await sample.call('note', { word: 'sample' });
    const log = await server().log();
    const site = log.filter(({ stream_id }: Body) => stream_id === 'governance-site_demo').reduce((state: Governance, event: Body) => governance.evolve(state, event as GovernanceEvent), governance.initial);
    const note = toolOf(site, 'note');
    const template = log.slice(-3);
    const perRun: string[][] = [];
    for (let n = 0; n < RUNS; n++) {
      const { runId, goalId } = await open({ approvalPolicy: 'before_execute', budget: { maxToolCalls: 10_000, timeoutMs: 3_600_000 } });
      const calls = Array.from({ length: CALLS }, (_, nr) => parkedLike(template, note, 'site_demo', runId, goalId, nr, `scale-${n}-${nr}`));
      perRun.push(calls.map(({ approvalId }) => approvalId));
      const written = await store.append(
        [
          { streamId: `run-${runId}`, expected: 2, events: calls.flatMap(({ run }) => run) as never },
          ...calls.map(({ approvalId, approval }) => ({ streamId: `approval-${approvalId}`, expected: 'none' as const, events: [approval] as never })),
        ],
        [],
        { actor: { kind: 'agent', id: agent().id }, siteId: 'site_demo', now: new Date(), correlationId: 'scale', commandId: `scale-${n}` },
      );
      expect(written.ok).toBe(true);
    }
    await store.close();
    // In the order of a list, where neighbours belong to different runs.
    const ids = Array.from({ length: CALLS }, (_, nr) => perRun.map((ofRun) => ofRun[nr]!)).flat();
    const waiting = RUNS * CALLS;
    const head = String(await server().head());
    const timed = async <T>(times: number[], ask: () => Promise<T>): Promise<T> => {
      const started = performance.now();
      const answer = await ask();
      times.push(performance.now() - started);
      return answer;
    };

    const pages: number[] = [];
    const listed = new Set<string>();
    await reviewer()('GET', 'agent/approvals?limit=1', undefined, { 'x-min-position': head });
    for (let cursor = ''; ; ) {
      const { body } = await timed(pages, () => reviewer()('GET', `agent/approvals?status=pending&limit=200${cursor}`));
      for (const { id } of body.data as Body[]) listed.add(id as string);
      if (body.nextCursor === null) break;
      cursor = `&cursor=${encodeURIComponent(body.nextCursor as string)}`;
    }
    expect(ids.filter((id) => !listed.has(id))).toEqual([]);

    const before = process.memoryUsage().rss;
    const [singles, batches]: [number[], number[]] = [[], []];
    const started = performance.now();
    for (const id of ids.slice(0, SINGLY)) {
      const { body } = await timed(singles, () => reviewer()('POST', `agent/approvals/${id}/decide`, { decision: 'approved' }));
      expect(body.data).toMatchObject({ status: 'approved', call: { status: 'executed' } });
    }
    for (let from = SINGLY; from < ids.length; from += BATCH) {
      const decisions = ids.slice(from, from + BATCH).map((approvalId) => ({ approvalId, decision: 'approved' }));
      const { body } = await timed(batches, () => reviewer()('POST', 'agent/approvals/decide', { decisions }));
      expect((body.data.results as Body[]).every(({ ok, decided }) => ok === true && decided.call.status === 'executed')).toBe(true);
    }
    const seconds = (performance.now() - started) / 1_000;
    expect(new Set(ran.filter((word) => word.startsWith('scale-'))).size).toBe(waiting);
    expect(ran.filter((word) => word.startsWith('scale-'))).toHaveLength(waiting);
    const left = (await reviewer()('GET', 'agent/approvals?status=pending', undefined, { 'x-min-position': String(await server().head()) })).body.data as Body[];
    expect(left.filter(({ id }) => ids.includes(id as string))).toEqual([]);
    const ms = (values: readonly number[], share: number) => `${percentile(values, share).toFixed(1)} ms`;
    process.stdout.write(
      `  ${waiting} approvals: a page of 200 in ${ms(pages, 0.5)} (95 %: ${ms(pages, 0.95)}), one decision in ${ms(singles, 0.5)} (95 %: ${ms(singles, 0.95)}), ` +
        `a batch of ${BATCH} in ${ms(batches, 0.5)}, ${Math.round(waiting / seconds)} decisions a second; memory grew by ${Math.round((process.memoryUsage().rss - before) / MEBIBYTE)} MiB\n`,
    );
  }, 240_000);
});
