import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Recorded } from '@app/kernel';
import { RequestToolCall } from '@app/tool-calls/contract';
import { live, requester } from '../testing/histories';
import { listed, readingOnly } from '../testing/logs';
import { memoryLog, rules, serverOver, type Server } from '../testing/servers';
import { walkSite } from '../redecide/replay-walk';
import type { Range } from '../moment/moment.policy';
import { backtested } from './backtest';
import { candidateProblems } from './candidate-problems';
import { Candidate } from './candidate.schema';

const SITE = 'site_b';

describe('A backtest', () => {
  const log = memoryLog();
  let server: Server;

  /** Six calls: two reads, two patches of a run without a role, a deletion that is asked, a patch of the Writer's. */
  beforeAll(async () => {
    server = await serverOver(log);
    await live([server, server], SITE, []);
    const ask = requester(SITE);
    for (const [run, tool, input] of [[0, 'look', {}], [0, 'look', {}], [0, 'patch', { id: 'a', price: 9 }], [0, 'patch', { id: 'b', price: 1 }], [0, 'deleteThing', { id: 'a' }], [1, 'patch', { id: 'a' }]] as const) {
      expect(await server.bus.send(new RequestToolCall(ask.runId(run), { tool, arguments: input }, ask.principal, ask.context()))).toMatchObject({ ok: true });
    }
  });
  afterAll(() => server.close());

  const trying = async (candidate: unknown, range: Range = {}) => {
    const steps = await listed(backtested(walkSite(readingOnly(log), { siteId: SITE, ...range }), Candidate.parse(candidate), rules.matches));
    const differences = steps.flatMap(({ step, data }) => (step === 'difference' ? [data] : []));
    return { steps, differences, result: steps.at(-1)! };
  };
  const decisions = async () => (await listed(log.readAll(0n, { filter: { types: ['ToolCallAuthorised', 'ToolCallParked'] } }))).flat() as Recorded[];

  it('finds nothing when the candidate is what the site had', async () => {
    expect((await trying({ policies: [] })).result).toEqual({ step: 'result', data: { examined: 6, differing: 0, position: String(await log.head()) } });
  });

  it('[REPLAY-009] names the call, what was decided, what the candidate decides, and where to look', async () => {
    const { differences, result } = await trying({ policies: [{ name: 'dear', when: { arguments: [{ path: '/price', gt: 5 }] }, then: { do: 'deny' }, reason: 'Too dear' }] });
    const [event] = (await decisions()).filter(({ data }) => (data as { arguments: { price?: number } }).arguments.price === 9);
    expect(result.data).toMatchObject({ examined: 6, differing: 1 });
    expect(differences).toEqual([
      {
        event: { position: String(event!.position), eventId: event!.eventId, streamId: event!.streamId, type: 'ToolCallAuthorised', occurredAt: event!.occurredAt },
        runId: requester(SITE).runId(0), callId: (event!.data as { callId: string }).callId, tool: 'patch',
        recorded: { decision: 'execute', reason: null, rule: null, autonomy: 2, quorum: null, humanOnly: null },
        candidate: { decision: 'deny', reason: 'policy_denied', rule: 'dear', autonomy: null, quorum: null, humanOnly: null },
        link: `/api/v1/agent/runs/${requester(SITE).runId(0)}/at?position=${event!.position}`,
      },
    ]);
  });

  it('tries roles and grants over those the site had', async () => {
    const poorer = await trying({ roles: [{ name: 'Writer', description: '', capabilities: ['items:read'] }] });
    expect(poorer.differences).toMatchObject([{ tool: 'patch', candidate: { decision: 'deny', reason: 'capability_missing' } }]);
    expect((await trying({ roles: [{ name: 'Writer', description: '', capabilities: ['items:update'], enabled: false }] })).differences).toMatchObject([{ candidate: { decision: 'deny' } }]);
    const distrusted = await trying({ grants: [{ agentRole: 'Writer', capability: 'items:update', level: 0 }] });
    expect(distrusted.differences).toMatchObject([{ runId: requester(SITE).runId(1), candidate: { decision: 'ask', humanOnly: true } }]);
  });

  it('counts a larger quorum as another decision, and another cause of the same one as none', async () => {
    const quorum = await trying({ policies: [{ name: 'four eyes', when: { tool: 'deleteThing' }, then: { do: 'requireQuorum', quorum: 2 } }] });
    expect(quorum.differences).toMatchObject([{ recorded: { decision: 'ask', quorum: 1 }, candidate: { decision: 'ask', quorum: 2 } }]);
    expect((await trying({ policies: [{ name: 'ask', when: { tool: 'deleteThing' }, then: { do: 'ask' } }] })).differences).toEqual([]);
  });

  it('examines the decisions within a range', async () => {
    const all = await decisions();
    const { result } = await trying({ policies: [] }, { from: { position: all[1]!.position }, to: { position: all[3]!.position } });
    expect(result.data).toMatchObject({ examined: 3 });
  });

  it('[REPLAY-010] tells how far it has come while the rest is still to be read', async () => {
    const [all] = await listed(walkSite(log, { siteId: SITE }));
    let read = 0;
    async function* stretches() {
      for (const decisions of [all!.decisions.slice(0, 2), all!.decisions.slice(2)]) {
        read++;
        yield { ...all!, decisions, position: decisions.at(-1)!.event.position };
      }
    }
    const steps = backtested(stretches(), Candidate.parse({ policies: [] }), rules.matches);
    const first = await steps.next();
    expect([read, first.value]).toEqual([1, { step: 'progress', data: { position: String(all!.decisions[1]!.event.position), head: String(all!.head), examined: 2, differing: 0 } }]);
    expect((await listed(steps)).map(({ step }) => step)).toEqual(['progress', 'result']);
  });

  it('refuses what cannot be tried, in a sentence', () => {
    const problems = (candidate: unknown) => candidateProblems(Candidate.parse(candidate));
    expect(problems({})).toEqual([{ pointer: '/candidate', detail: expect.stringContaining('Name policies') }]);
    expect(problems({ constitution: { evaluators: [{ id: 'r', type: 'rule', rule: 'regex', field: 'a', value: '(?=a)' }] } })).toEqual([
      { pointer: '/candidate/constitution/evaluators/0/value', detail: expect.any(String) },
    ]);
    expect(problems({ policies: [{ name: 'x', when: { arguments: [{ path: '/a', matches: '(?=a)' }] }, then: { do: 'deny' } }] })).toEqual([
      { pointer: '/candidate/policies/0/when/arguments/0/matches', detail: expect.any(String) },
    ]);
    expect(problems({ policies: [] })).toEqual([]);
  });
});
