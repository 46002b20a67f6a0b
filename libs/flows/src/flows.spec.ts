import { describe, expect, it } from '@jest/globals';
import { covers, type Decision, type Recorded } from '@app/kernel';
import { context } from '@app/kernel/testing';
import { principal, type PrincipalEvent, type PrincipalState } from '@app/sites/contract';
import fc from 'fast-check';
import { changeFlow } from './change-flow/change-flow.decide';
import type { ChangeFlowBody } from './change-flow/change-flow.command';
import { defineFlow } from './define-flow/define-flow.decide';
import { DefineFlowBody } from './define-flow/define-flow.command';
import { deleteFlow } from './delete-flow/delete-flow.decide';
import { finishFlow } from './drive-flow/finish-flow.decide';
import { AT, changed, defined, definer, deleted, FLOW, OWN_KEY, ran, shape, site, started } from './flow.examples';
import type { FlowEvent } from './flow.events';
import { FlowOperation } from './flow.schema';
import { flow, type Flow, type KnownFlow } from './flow.state';
import { operationCall } from './operation-call.policy';
import { flowDeadlines } from './schedule/flow-deadlines.process';
import { scheduleRefusal } from './schedule/next-run';
import { startFlow } from './start-flow/start-flow.decide';

const fold = (...events: FlowEvent[]): Flow => events.reduce(flow.evolve, flow.initial);
const made = { flowId: FLOW, principalId: OWN_KEY, secretHash: 'a'.repeat(64), nextRunAt: null };
const held = (capabilities: readonly string[], agentRole: string | null = null): PrincipalState =>
  ([
    { type: 'PrincipalCreated', data: { principalId: OWN_KEY, name: 'Flow', kind: 'service', siteId: 'site_a', capabilities: [...capabilities], roles: [], agentRole, platformAdmin: false } },
    { type: 'ApiKeyIssued', data: { keyId: OWN_KEY, secretHash: 'a'.repeat(64), expiresAt: null } },
  ] satisfies PrincipalEvent[]).reduce<PrincipalState>(principal.evolve, principal.initial);
const body = (overrides: object = {}) => DefineFlowBody.parse({ name: 'Nightly', trigger: shape().trigger, operations: shape().operations, capabilities: ['items:write'], ...overrides });
const define = (overrides: object = {}, by = definer()) => defineFlow({ flow: flow.initial, principal: principal.initial, governance: site }, body(overrides), by, made, context());
const change = (wanted: ChangeFlowBody, by = definer(), capabilities: readonly string[] = ['items:write']) =>
  changeFlow({ flow: fold(defined()), principal: held(capabilities), governance: site }, wanted, by, () => null, context());
const code = (decision: Decision<unknown>) => (decision.ok ? 'ok' : decision.rejection.code);
const begin = (state: Flow, cause: 'cron' | 'manual' = 'cron') => startFlow({ flow: state }, { occurrenceId: 'o', goalId: 'g', runId: 'r', cause }, () => null, context());

describe('A flow', () => {
  it('comes into being together with a principal of its own, whose key nobody has', () => {
    const decision = define();
    expect(decision).toMatchObject({
      ok: true,
      events: {
        flow: [{ type: 'FlowDefined', data: { flowId: FLOW, principalId: OWN_KEY, capabilities: ['items:write'] } }],
        principal: [{ type: 'PrincipalCreated', data: { principalId: OWN_KEY, kind: 'service', capabilities: ['items:write'], roles: [], platformAdmin: false } }, { type: 'ApiKeyIssued' }],
      },
    });
  });

  it('never holds more than whoever defined or changed it', () => {
    const some = fc.uniqueArray(fc.constantFrom('items:read', 'items:write', 'items:delete', 'schema:create', '*'), { maxLength: 5 });
    fc.assert(
      fc.property(some, some, some, fc.boolean(), (wanted, has, before, isAdmin) => {
        const by = definer({ capabilities: has, roles: isAdmin ? ['admin'] : [] });
        const within = (capabilities: readonly string[]) => isAdmin || capabilities.every((each) => each !== '*' && covers(has, each));
        expect(code(define({ capabilities: wanted }, by))).toBe(within(wanted) ? 'ok' : 'FORBIDDEN');
        expect(code(change({ capabilities: wanted }, by, before))).toBe(within([...wanted, ...before]) ? 'ok' : 'FORBIDDEN');
        // Its work is changed by nobody who could not do it themselves.
        expect(code(change({ operations: [{ do: 'veto-sweep' }] }, by, ['items:write']))).toBe(within(['items:write']) ? 'ok' : 'FORBIDDEN');
      }),
      { numRuns: 200 },
    );
  });

  it('works under the role of a key that is bound to one', () => {
    const writer = definer({ agentRole: 'Writer' });
    expect([code(define({}, writer)), code(define({ agentRole: 'Planner' }, writer)), code(define({ agentRole: 'Writer' }, writer))]).toEqual(['FORBIDDEN', 'FORBIDDEN', 'ok']);
    expect(code(change({ name: 'Mine' }, writer))).toBe('FORBIDDEN');
  });

  it.each([
    [{ do: 'run-skill', tool: 'nothing', arguments: {} }, 'No tool of the name nothing is registered on this site'],
    [{ do: 'trust-promote-check' }, 'No tool of the name trust-promote-check is registered on this site'],
    [{ do: 'webhook', tool: 'createItem', arguments: {} }, 'createItem is no http tool'],
    [{ do: 'run-skill', tool: 'shell', arguments: {} }, 'shell is run by its agent, and a flow has none'],
  ])('is refused when it cannot carry out %j', (operation, detail) => {
    for (const decision of [define({ operations: [{ do: 'veto-sweep' }, operation] }), change({ operations: [{ do: 'veto-sweep' }, operation as FlowOperation] })]) {
      expect(decision).toMatchObject({ ok: false, rejection: { code: 'VALIDATION_FAILED', facts: { errors: [{ pointer: '/operations/1/tool', detail }] } } });
    }
  });

  it('is refused with a schedule that never comes', () => {
    const of = (expression: string, tz = 'UTC') => scheduleRefusal({ on: 'cron', expression, tz }, context().now)?.rejection.facts;
    expect([of('0 0 30 2 *'), of('0 0 * * *', 'Mars/Base'), of('0 0 * * *')]).toMatchObject([
      { errors: [{ pointer: '/trigger', detail: 'No such date ever comes' }] }, { errors: [{ detail: 'Mars/Base is no time zone; use a name like Europe/Berlin' }] }, undefined,
    ]);
  });

  it('becomes one tool call per operation', () => {
    const operations = [
      { do: 'drift-scan', intentId: `int_${'0'.repeat(32)}` }, { do: 'trust-promote-check' }, { do: 'veto-sweep' }, { do: 'webhook', tool: 'crm', arguments: { a: 1 } }, { do: 'run-skill', tool: 'createItem', arguments: {} },
    ].map((each) => operationCall(FlowOperation.parse(each)));
    expect(operations).toEqual([
      { tool: 'drift-scan', arguments: { intentId: `int_${'0'.repeat(32)}` } }, { tool: 'trust-promote-check', arguments: {} }, { tool: 'veto-sweep', arguments: {} },
      { tool: 'crm', arguments: { a: 1 } }, { tool: 'createItem', arguments: {} },
    ]);
  });

  it('runs one occurrence after the other, and only by hand when it is off', () => {
    expect([begin(fold(defined())), begin(fold(defined(), started())), begin(fold(defined(), started(), ran()))].map(code)).toEqual(['ok', 'CONFLICT', 'ok']);
    const off = fold(defined(), changed({ enabled: false, nextRunAt: null }));
    expect([begin(off), begin(off, 'manual')]).toMatchObject([{ ok: true, events: { flow: [] } }, { ok: true, events: { flow: [{ type: 'FlowStarted' }] } }]);
  });

  it('goes on with the operations it began with when it is changed meanwhile', () => {
    const state = fold(defined(), started(), changed({ operations: [{ do: 'veto-sweep' }] })) as KnownFlow;
    expect([state.open?.operations, state.operations]).toEqual([shape().operations, [{ do: 'veto-sweep' }]]);
  });

  it('is told to have run once', () => {
    const occurrence = { occurrenceId: 'occurrence-1', goalId: 'goal_1', runId: 'run_1' };
    const finish = (...events: FlowEvent[]) => finishFlow({ flow: fold(...events) }, occurrence, { results: [], reason: null }, new Date(AT));
    expect([finish(defined(), started()), finish(defined(), started(), ran()), finish(defined(), started(2))]).toMatchObject([{ events: { flow: [ran()] } }, { events: { flow: [] } }, { events: { flow: [] } }]);
  });

  it('is deleted with its principal, and gone from then on', () => {
    expect(deleteFlow({ flow: fold(defined()), principal: held([]) }, context())).toMatchObject({ events: { flow: [deleted], principal: [{ type: 'ApiKeyRevoked' }] } });
    const gone = fold(defined(), deleted);
    expect([deleteFlow({ flow: gone, principal: held([]) }, context()), begin(gone), begin(flow.initial), begin(fold({ ...defined(), data: { ...defined().data, siteId: 'site_b' } } as FlowEvent))].map(code))
      .toEqual(['GONE', 'GONE', 'FORBIDDEN', 'FORBIDDEN']);
  });

  it('has deadlines that follow from its log alone', () => {
    const of = (event: FlowEvent) => flowDeadlines({ ...event, streamId: `flow-${FLOW}` } as Recorded<FlowEvent>);
    const schedule = { set: FLOW, at: shape().nextRunAt, topic: 'cron' };
    expect(of(defined())).toEqual([schedule]);
    expect(of(changed({ nextRunAt: null }))).toEqual([{ clear: FLOW }]);
    expect(of(started())).toEqual([schedule, { set: `${FLOW}:work`, at: AT, topic: 'work' }]);
    expect(of(ran())).toEqual([{ clear: `${FLOW}:work` }]);
    expect(of(deleted)).toEqual([{ clear: FLOW }, { clear: `${FLOW}:event` }]);
  });
});
