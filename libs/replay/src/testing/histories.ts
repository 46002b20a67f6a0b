import fc from 'fast-check';
import { DecideApproval } from '@app/approvals/contract';
import { goal } from '@app/goals/contract';
import { governance, type GovernanceEvent } from '@app/governance/contract';
import { accept, type Actor, type Context, type Principal } from '@app/kernel';
import { openApprovalsOf, isLive, run as runAggregate } from '@app/runs/contract';
import { principal as principalAggregate } from '@app/sites/contract';
import { parkedCallExpiry } from '@app/tool-calls';
import { RequestToolCall } from '@app/tool-calls/contract';
import { founding, governanceChange, ROLES } from './governance-changes';
import type { Server } from './servers';

const EVERYTHING = ['items:read', 'items:update', 'items:delete', 'artifacts:write', 'desk:ask'];
const RUNS = 3;

/** One time in `times` + 1. */
const seldom = <T>(times: number, value: fc.Arbitrary<T>) => fc.oneof({ weight: times, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const plain = fc.record({ id: fc.constantFrom('a', 'b', 'c'), price: fc.nat(4), data: fc.record({ title: fc.constantFrom('abc', 'xyz') }), fail: fc.constant(true) }, { requiredKeys: [] });
/** A password that is right, one that is too short, and the mask of one that somebody sends back. */
export const PASSWORD = 'between-you-and-me';
const secret = fc.constantFrom(PASSWORD, 'no', '••••••');
const input = fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: fc.tuple(plain, secret).map(([rest, password]) => ({ ...rest, password })) });
const call = fc.record({ run: fc.nat(RUNS - 1), tool: fc.constantFrom('look', 'patch', 'patch', 'patch', 'deleteThing', 'draw', 'unhandled'), input: fc.oneof({ weight: 9, arbitrary: input }, { weight: 1, arbitrary: fc.constantFrom({ zeta: 1, alpha: 2 }, { price: 'x', id: 5, data: 7 }) }) });
const answer = fc.record({
  pick: fc.nat(20), run: fc.nat(RUNS - 1), decision: fc.constantFrom('approved', 'approved', 'approved', 'rejected', 'changes_requested'), edited: seldom(3, input), by: fc.constantFrom('key_ada', 'key_bob'),
  /** The timer of the approval goes off at the same moment. */
  late: fc.boolean(),
});

/** One moment of a site's life: calls, answers of people and changes of the rules, all at once and on two servers. */
const moment = fc.record({
  laterMs: fc.integer({ min: 0, max: 3_600_000 }),
  calls: fc.array(call, { maxLength: 4 }),
  answers: fc.array(answer, { maxLength: 3 }),
  changes: fc.array(governanceChange, { maxLength: 1 }),
  cancel: seldom(30, fc.nat(RUNS - 1)),
});
type Moment = typeof moment extends fc.Arbitrary<infer M> ? M : never;
export const history = fc.array(moment, { minLength: 4, maxLength: 14 });

const clockwork: Actor = { kind: 'service', id: 'server' };
const ada: Actor = { kind: 'human', id: 'key_ada' };

/** Lives a history on two servers over one log; each moment ends when everything begun in it has ended. */
export const live = async (servers: readonly [Server, Server], siteId: string, moments: readonly Moment[]) => {
  let clock = Date.parse('2030-01-01T09:00:00.000Z');
  let commands = 0;
  const at = (actor: Actor): Context => {
    const commandId = `${siteId}:${++commands}`;
    return { actor, siteId, now: new Date(clock), correlationId: commandId, commandId };
  };
  const robot = robotOf(siteId);
  const [first] = servers;
  await must(first.executor.execute({ governance: { aggregate: governance, id: siteId } }, at(ada), () => accept({ governance: founding(siteId) })));
  await must(first.executor.execute({ key: { aggregate: principalAggregate, id: robot.id } }, at(ada), () => accept({ key: keyOf(robot) })));
  for (let index = 0; index < RUNS; index++) await must(opened(first, siteId, index, robot, at({ kind: 'agent', id: robot.id })));
  for (const { laterMs, calls, answers, changes, cancel } of moments) {
    clock += laterMs;
    const waiting = await Promise.all(answers.map(async ({ run, pick, ...rest }) => ({ ...rest, approvalId: await waitingIn(first, siteId, run, pick) })));
    await Promise.all([
      ...calls.map(({ run, tool, input: given }, index) =>
        servers[index % 2]!.bus.send(new RequestToolCall(runId(siteId, run), { tool, arguments: given as never }, robot, at({ kind: 'agent', id: robot.id })))),
      ...waiting.map(({ approvalId, decision, edited, by }, index) => approvalId === undefined ? undefined
        : servers[(index + 1) % 2]!.bus.send(new DecideApproval(approvalId, bodyOf(decision, edited), at({ kind: 'human', id: by }), {
            actor: { kind: 'human', id: by }, isAdmin: true, channel: 'api', assurance: 'api_key',
          }))),
      ...changes.map((event) => changed(servers[1], siteId, event, at(ada))),
      ...waiting.map(({ approvalId, late }) => (approvalId === undefined || !late ? undefined : parkedCallExpiry(servers[0].executor)(approvalId, at(clockwork)))),
      cancel === undefined ? undefined : servers[0].executor.execute({ run: { aggregate: runAggregate, id: runId(siteId, cancel) } }, at(ada), ({ run }) =>
        accept({ run: isLive(run) ? [{ type: 'RunCancelRequested', data: {} }] : [] })),
    ]);
  }
};

export const runId = (siteId: string, index: number) => `run_${siteId}_${index}`;

const robotOf = (siteId: string): Principal => ({
  id: `key_robot_${siteId}`, kind: 'agent', name: 'robot', siteId, sites: [siteId], capabilities: EVERYTHING, roles: [], platformAdmin: false,
});

const must = async (step: Promise<{ readonly ok: boolean }>) => {
  const done = await step;
  if (!done.ok) throw new Error(JSON.stringify(done));
};

const keyOf = ({ id, name, siteId, capabilities }: Principal) => [
  { type: 'PrincipalCreated' as const, data: { principalId: id, name, kind: 'agent' as const, siteId, capabilities: [...capabilities], roles: [], agentRole: null, platformAdmin: false } },
  { type: 'ApiKeyIssued' as const, data: { keyId: id, secretHash: '0'.repeat(64), expiresAt: null } },
];

const changed = ({ executor }: Server, siteId: string, event: GovernanceEvent, context: Context) =>
  must(executor.execute({ governance: { aggregate: governance, id: siteId } }, context, () => accept({ governance: [event] })));

const bodyOf = (decision: string, edited: unknown) =>
  ({ decision, ...(decision !== 'approved' && { reason: 'Not like this' }), ...(decision === 'approved' && edited !== undefined && { arguments: edited }) }) as never;

const waitingIn = async ({ executor }: Server, siteId: string, index: number, pick: number): Promise<string | undefined> => {
  const { state } = await executor.current(runAggregate, runId(siteId, index));
  const open = isLive(state) ? openApprovalsOf(state) : [];
  return open[pick % Math.max(open.length, 1)];
};

/** One run without a role, one for each role; the second asks before everything, the third is short of calls. */
const opened = ({ executor }: Server, siteId: string, index: number, robot: Principal, context: Context) => {
  const id = runId(siteId, index);
  const goalId = `goal_${siteId}_${index}`;
  const agentRole = [undefined, ...ROLES][index];
  const named = { agentName: 'robot', ...(agentRole !== undefined && { agentRole }) };
  const budget = { maxToolCalls: index === 2 ? 6 : 40, maxCostUsd: 2, timeoutMs: 600_000, maxArtifactBytes: 60 };
  return executor.execute({ goal: { aggregate: goal, id: goalId }, run: { aggregate: runAggregate, id } }, context, () => accept({
    goal: [
      { type: 'GoalCreated', data: { goalId, title: 'Tidy', origin: 'user', agentName: 'robot', agentRole: agentRole ?? null, parentGoalId: null, intentId: null, driftFingerprint: null, autonomyCap: null, priority: 0, deadline: null, owner: robot.id, acceptance: null } },
      { type: 'GoalStarted', data: { runId: id } },
    ],
    run: [
      { type: 'RunStarted', data: { runId: id, goalId, ...named, kind: 'external' } },
      { type: 'EnvelopeSealed', data: { envelope: {
        goalId, runId: id, ...named, context: { siteId, collections: [], policySnapshotHash: '' }, budget, risk: 'safe',
        approvalPolicy: index === 1 ? 'before_commit' : 'none', artifacts: [], capabilities: EVERYTHING, principalId: robot.id,
      } } },
    ],
  }));
};

/** What is needed to ask for calls on the runs of a lived history by hand. */
export const requester = (siteId: string) => {
  let asked = 0;
  return {
    principal: robotOf(siteId),
    runId: (index: number) => runId(siteId, index),
    context: (): Context => {
      const commandId = `${siteId}:by hand ${++asked}`;
      return { actor: { kind: 'agent', id: robotOf(siteId).id }, siteId, now: new Date('2030-01-02T09:00:00.000Z'), correlationId: commandId, commandId };
    },
  };
};
