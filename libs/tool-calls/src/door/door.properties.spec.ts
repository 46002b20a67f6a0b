import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { TOOL_RISKS, type GovernanceEvent } from '@app/governance/contract';
import { callIn, recordOf, run as runAggregate, type Run, type RunEvent, type OpenCall, type SettledCall } from '@app/runs/contract';
import { requestToolCall } from '../request-tool-call/request-tool-call.decide';
import { settleToolCall } from '../settle-tool-call/settle-tool-call.decide';
import { answerOf } from '../tool-call-answer.view';
import { ask, dangerous, facts, freeze, grant, NOW, role, rules, run, site, tool, vetoWindow } from './door.examples';
import { decideToolCall, type DoorFacts } from './door.policy';

const CAPABILITIES = ['items:read', 'items:update', 'items:delete', 'schema:read', 'schema:update', 'memory:read'];
const held = fc.subarray([...CAPABILITIES, '*']);
const mostlyAll = fc.oneof({ weight: 3, arbitrary: fc.constant(['*']) }, held);
const level = fc.integer({ min: 0, max: 4 });

const anyTool = fc.record({
  name: fc.constantFrom('updateItem', 'deleteItem', 'listItems'), risk: fc.constantFrom(...TOOL_RISKS), requiredCapabilities: fc.subarray(CAPABILITIES, { minLength: 1, maxLength: 3 }),
  irreversible: fc.boolean(), stageable: fc.boolean(), dangerous: fc.boolean(), artifact: fc.boolean(),
}).map((definition) => tool(definition));
const anyRule = fc.record({
  name: fc.constantFrom('one', 'two'), mode: fc.constantFrom('enforce' as const, 'shadow' as const),
  when: fc.record({ risk: fc.constantFrom(...TOOL_RISKS), origin: fc.constantFrom('user' as const, 'reconciler' as const) }, { requiredKeys: [] }),
  then: fc.oneof(fc.record({ do: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const, 'stage' as const) }), fc.record({ do: fc.constant('capLevel' as const), level })),
});
const anySite = (flag: fc.Arbitrary<boolean>) =>
  fc.record({ flag, granted: fc.option(level), held: mostlyAll, given: fc.array(anyRule, { maxLength: 2 }), frozen: fc.constantFrom(null, null, null, 'site' as const, 'role' as const) })
    .map(({ flag: on, granted, held: ofRole, given, frozen }) => [
      role('Writer', ...ofRole), rules(...given), ...(on ? [vetoWindow] : []),
      ...(granted === null ? [] : CAPABILITIES.map((capability) => grant('Writer', capability, granted))),
      ...(frozen === null ? [] : [freeze(frozen, frozen === 'role' ? 'Writer' : null)]),
    ] satisfies GovernanceEvent[]);
const anyRun = fc.record({
  agentRole: fc.constantFrom('Writer', undefined), cancelRequested: fc.boolean(), approvalPolicy: fc.constantFrom('none' as const, 'before_execute' as const, 'before_commit' as const),
  risk: fc.constantFrom('safe' as const, 'review_required' as const, 'dangerous' as const), toolCalls: fc.constantFrom(0, 19, 20), cap: fc.option(level),
}).map(({ agentRole, cancelRequested, approvalPolicy, risk, toolCalls, cap }) =>
  run({
    ...(agentRole !== undefined && { agentRole }), cancelRequested, spent: { toolCalls, runtimeMs: 0, costUsd: 0, artifactBytes: 0 },
    envelope: { approvalPolicy, risk, ...(cap !== null && { autonomyCap: cap }) },
  }));
const anyDeferral = fc.constantFrom(null, null, { reason: 'backpressure', rule: 'load_guard', retryAfterMs: 5 } as const, { reason: 'outside_maintenance_window', rule: 'maintenance_window', retryAfterMs: 5 } as const);
const anyFacts = (flag = fc.boolean()): fc.Arbitrary<DoorFacts> =>
  fc.record({
    run: anyRun, events: anySite(flag), tool: fc.option(anyTool, { nil: undefined }), capabilities: mostlyAll, pinnedFields: fc.constantFrom([], [], ['title']), deferral: anyDeferral,
    argumentProblems: fc.constantFrom([], [], [{ path: '/id', message: 'must be string' }]), arguments: fc.constantFrom({}, { id: 'i', data: { title: 'x' } }), approved: fc.boolean(),
    origin: fc.constantFrom('user', 'reconciler'), handled: fc.boolean(),
  }).map(({ events, ...rest }) => facts({ ...rest, site: site(...events) }));

/** The answer that the caller of a decision gets when its handler gives `result`. */
const answered = (given: DoorFacts, name: string, result: unknown = { ok: true }) => {
  const asked = {
    action: { callId: 'c', tool: name, arguments: given.arguments, argumentsHash: '', actionDigest: '' }, governanceVersion: 7,
    inputs: { capabilities: given.capabilities, argumentProblems: given.argumentProblems, pinnedFields: [], deferral: null, origin: 'user', approved: false, handled: given.handled },
  };
  const actor = { kind: 'agent', id: 'key_robot' } as const;
  const decision = requestToolCall(given.run, asked, decideToolCall(given), 'appr_1', 1_000, { actor, now: NOW });
  if (!decision.ok) throw new Error(decision.rejection.detail);
  const fold = (state: Run, events: readonly RunEvent[]) => events.reduce(runAggregate.evolve, state);
  let state = fold(given.run, decision.events.run) as DoorFacts['run'];
  const told = [...decision.events.run];
  if (state.calls.open['c']?.status === 'authorised') {
    const settled = settleToolCall(state, 'c', { ok: true, result, runtimeMs: 1, resultBytes: 1 });
    if (settled.ok) told.push(...settled.events.run);
    if (settled.ok) state = fold(state, settled.events.run) as DoorFacts['run'];
  }
  const call = callIn(state.calls, 'c')!;
  return { answer: answerOf(recordOf(call as SettledCall, told) ?? (call as OpenCall)), state };
};

describe('For every request the door', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('[DOOR-003] gives exactly one of five answers', () => {
    const routes = new Set<string>();
    const staged = facts({ run: run({ envelope: { approvalPolicy: 'before_commit' } }), site: site(vetoWindow), tool: tool({ stageable: true }), arguments: { id: 'i', data: { title: 'x' } } });
    fc.assert(fc.property(anyFacts(), (given) => {
      const { route } = decideToolCall(given);
      routes.add(route);
      expect(['execute', 'stage', 'ask', 'defer', 'deny']).toContain(route);
    }), { numRuns: 3_000, examples: [[staged]] });
    expect([...routes].toSorted()).toEqual(['ask', 'defer', 'deny', 'execute', 'stage']);
  });

  it('[DOOR-002] decides by what it is given and by nothing else', () => {
    const forbidden = () => {
      throw new Error('The decision looked outside');
    };
    fc.assert(fc.property(anyFacts(), (given) => {
      const frozen = deepFrozen(given);
      const outside = [jest.spyOn(Date, 'now'), jest.spyOn(Math, 'random'), jest.spyOn(performance, 'now'), jest.spyOn(globalThis, 'fetch'), jest.spyOn(globalThis, 'setTimeout')];
      outside.forEach((spy) => spy.mockImplementation(forbidden as never));
      const [first, second] = [decideToolCall(frozen), decideToolCall(frozen)];
      outside.forEach((spy) => spy.mockRestore());
      expect(second).toEqual(first);
      expect(first).not.toBeInstanceOf(Promise);
    }), { numRuns: 300 });
  });

  /** Each check's way to refuse, in the order of the specification. */
  const REFUSALS: readonly (readonly [string, (given: DoorFacts) => DoorFacts])[] = [
    ['cancelled', (given) => ({ ...given, run: { ...given.run, cancelRequested: true } })],
    ['frozen', (given) => ({ ...given, site: { ...given.site, freezes: site(freeze('site', null)).freezes } })],
    ['tool_disabled', (given) => ({ ...given, tool: { ...given.tool!, enabled: false } })],
    ['invalid_arguments', (given) => ({ ...given, argumentProblems: [{ path: '', message: '' }] })],
    ['capability_missing', (given) => ({ ...given, capabilities: [] })],
    ['outside_maintenance_window', (given) => ({ ...given, deferral: { reason: 'outside_maintenance_window', rule: 'maintenance_window', retryAfterMs: 1 } })],
    ['pinned_by_human', (given) => ({ ...given, pinnedFields: ['title'] })],
    ['backpressure', (given) => ({ ...given, deferral: given.deferral ?? { reason: 'backpressure', rule: 'load_guard', retryAfterMs: 1 } })],
    ['budget_tool_calls', (given) => ({ ...given, run: { ...given.run, spent: { ...given.run.spent, toolCalls: 20 } } })],
    ['policy_denied', (given) => ({ ...given, site: { ...given.site, policies: site(rules({ name: 'no', when: {}, then: { do: 'deny' }, mode: 'enforce' })).policies } })],
  ];

  it('[DOOR-001] runs the ten checks in their order, so that the first refusal is the one that counts, in all 1 024 combinations', () => {
    for (let mask = 0; mask < 1 << REFUSALS.length; mask++) {
      const wrong = REFUSALS.filter((_refusal, nr) => mask & (1 << nr));
      const verdict = decideToolCall(wrong.reduce((given, [, spoil]) => spoil(given), facts()));
      expect('reason' in verdict ? verdict.reason : verdict.route).toBe(wrong[0]?.[0] ?? 'execute');
    }
  });

  it('[DOOR-020] denies a tool that nobody registered, and names it', () => {
    fc.assert(fc.property(fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,40}$/), fc.boolean(), (name, handled) => {
      const { answer } = answered(facts({ tool: undefined, handled }), name);
      expect(answer).toMatchObject({ status: 'denied', reason: 'tool_not_registered', facts: { tool: name } });
    }));
  });

  it('[DOOR-021] lets the capability check pass exactly when every required capability is held, or * is', () => {
    fc.assert(fc.property(fc.subarray(CAPABILITIES, { minLength: 1 }), held, (requiredCapabilities, capabilities) => {
      const verdict = ask({ tool: tool({ requiredCapabilities, risk: 'read' }), capabilities });
      const refused = verdict.route === 'deny' && verdict.reason === 'capability_missing';
      expect(refused).toBe(!capabilities.includes('*') && !requiredCapabilities.every((wanted) => capabilities.includes(wanted)));
    }), { numRuns: 1_000 });
  });

  it('[DOOR-022] answers pending_approval with an approval for a dangerous tool, and executed with data for any other', () => {
    fc.assert(fc.property(anyTool, fc.jsonValue(), (asked, data) => {
      const { answer } = answered(facts({ tool: asked }), asked.name, data);
      expect(answer).toMatchObject(asked.isDangerous ? { status: 'pending_approval', approvalId: 'appr_1' } : { status: 'executed', result: data });
    }), { numRuns: 500 });
  });

  it.each([0, 1, 2])('[TRUST-009] parks the run of a dangerous call at level %s, with an approval', (granted) => {
    const on = site(role('Writer', 'items:delete'), vetoWindow, grant('Writer', 'items:delete', granted));
    const { answer, state } = answered(facts({ run: run({ agentRole: 'Writer' }), site: on, tool: dangerous() }), 'deleteItem');
    expect([answer, state.status, state.approvals]).toMatchObject([{ status: 'pending_approval', approvalId: 'appr_1' }, 'awaiting_approval', ['appr_1']]);
  });

  it('[DOOR-011] [ROLE-003] narrows a token by its role and a role by its token, so that neither exceeds the other', () => {
    fc.assert(fc.property(held, fc.subarray(CAPABILITIES), fc.subarray(CAPABILITIES, { minLength: 1, maxLength: 2 }), (token, ofRole, requiredCapabilities) => {
      const verdict = ask({ run: run({ agentRole: 'Writer' }), site: site(role('Writer', ...ofRole)), tool: tool({ requiredCapabilities, risk: 'read' }, { dangerous: false }), capabilities: token });
      const both = requiredCapabilities.filter((wanted) => ofRole.includes(wanted) && (token.includes('*') || token.includes(wanted)));
      expect(verdict).toMatchObject(both.length === requiredCapabilities.length ? { route: 'execute' } : { reason: 'capability_missing', facts: { missing: requiredCapabilities.filter((one) => !both.includes(one)) } });
    }), { numRuns: 1_000 });
  });

  it.each([
    ['[ROLE-004] an unknown role', [], 'Nobody'], ['[ROLE-004] a role with the name of a member of every object', [], 'constructor'],
    ['[ROLE-005] a disabled role', [role('Writer', '*'), { type: 'RoleDisabled', data: { name: 'Writer' } }], 'Writer'],
  ] as readonly (readonly [string, readonly GovernanceEvent[], string])[])('%s holds nothing, whatever the token holds', (_name, events, agentRole) => {
    fc.assert(fc.property(fc.subarray(CAPABILITIES, { minLength: 1 }), held, (requiredCapabilities, token) => {
      const verdict = ask({ run: run({ agentRole }), site: site(...events), tool: tool({ requiredCapabilities, risk: 'read' }), capabilities: [...token, '*'] });
      expect(verdict).toMatchObject({ route: 'deny', reason: 'capability_missing', facts: { missing: requiredCapabilities } });
    }));
  });

  it('[RISK-003] treats levels 3 and 4 as 2 while there is no veto window', () => {
    fc.assert(fc.property(anyFacts(fc.constant(false)), fc.constantFrom(3, 4), (given, high) => {
      const at = (granted: number) => ({ ...given, site: CAPABILITIES.map((capability) => grant('Writer', capability, granted)).reduce<DoorFacts['site']>((state, { data }) => ({ ...state, grants: { ...state.grants, ...site({ type: 'AutonomyGranted', data } as GovernanceEvent).grants } }), given.site) });
      expect(decideToolCall(at(high))).toEqual(decideToolCall(at(2)));
    }), { numRuns: 1_000 });
  });
});

const deepFrozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) Object.values(Object.freeze(value)).forEach(deepFrozen);
  return value;
};
