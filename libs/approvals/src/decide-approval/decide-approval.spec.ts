import { ada, context, robot, specification } from '@app/kernel/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ApprovalEvent } from '../approval.events';
import { approval, type ApprovalRequest } from '../approval.state';
import { expireApproval } from '../expire-approval/expire-approval.decide';
import type { Reviewer } from '../reviewer.policy';
import { decideApproval } from './decide-approval.decide';

const DIGEST = 'a'.repeat(64);
const OTHER = 'b'.repeat(64);
const given = specification(approval);
const { now } = context();
const NEXT_WEEK = '2030-01-08T10:00:00.000Z';

const requested = (more: Partial<ApprovalRequest> = {}): ApprovalEvent => ({
  type: 'ApprovalRequested',
  data: {
    approvalId: 'appr_1', siteId: 'site_a', kind: 'tool_call', domain: 'items', subject: 'deleteItem products item_1', goalId: 'goal_1', runId: 'run_1', callId: 'call_1',
    tool: 'deleteItem', arguments: { id: 'item_1' }, actionDigest: DIGEST, capability: 'items:delete', policy: 'dangerous_tool', agentRole: null, quorum: 1, humanOnly: false,
    autoCommitAt: null, requestedBy: { kind: 'agent', id: robot.id }, requestedAt: now.toISOString(), expiresAt: NEXT_WEEK, ...more,
  },
});
const person = (id: string, more: Partial<Reviewer> = {}): Reviewer => ({ actor: { kind: 'human', id }, isAdmin: false, channel: 'api', assurance: 'api_key', ...more });
const facts = { actionDigest: DIGEST, requesters: [], now };
const yes = { decision: 'approved' } as const;
const no = { decision: 'rejected', reason: 'No' } as const;

describe('Deciding an approval', () => {
  it('records who decided what, when, why and through which channel', () => {
    given(requested())
      .when((state) => decideApproval(state, { ...yes, reason: 'Fine' }, facts, person(ada.id)))
      .then([{ type: 'ApprovalApproved', data: { by: ada, channel: 'api', assurance: 'api_key', decidedAt: now.toISOString(), reason: 'Fine', actionDigest: DIGEST } }]);
  });

  it('needs a reason to refuse, but not on the legacy route', () => {
    for (const decision of ['rejected', 'changes_requested'] as const) {
      given(requested()).when((state) => decideApproval(state, { decision }, facts, person('bob'))).thenRejected('VALIDATION_FAILED');
      expect(given(requested()).when((state) => decideApproval(state, { decision }, facts, person('bob', { channel: 'legacy_api' }))).decision.ok).toBe(true);
    }
  });

  it('takes no digest but the one that was asked about', () => {
    given(requested()).when((state) => decideApproval(state, { ...yes, actionDigest: OTHER }, facts, person('bob'))).thenRejected('ACTION_CHANGED');
  });

  it('lets no requester decide where duties are separated', () => {
    given(requested()).when((state) => decideApproval(state, yes, { ...facts, requesters: ['bob'] }, person('bob'))).thenRejected('FORBIDDEN');
  });

  it('decides nothing from its deadline on', () => {
    const due = new Date(NEXT_WEEK);
    given(requested()).when((state) => decideApproval(state, yes, { ...facts, now: due }, person('bob'))).thenRejected('ALREADY_DECIDED');
    given(requested()).when((state) => expireApproval(state, new Date(due.getTime() - 1))).then([]);
    given(requested()).when((state) => expireApproval(state, due)).then([{ type: 'ApprovalExpired', data: { dueAt: NEXT_WEEK, expiredAt: NEXT_WEEK } }]);
    given(requested(), { type: 'ApprovalExtended', data: { by: ada, from: NEXT_WEEK, until: '2030-02-01T00:00:00.000Z' } }).when((state) => expireApproval(state, due)).then([]);
  });

  it.each(['tool_call', 'plan', 'artifact', 'schema_diff', 'promotion'] as const)('[APPR-035] ends unapproved when nobody says anything: %s', (kind) => {
    const due = new Date(NEXT_WEEK);
    const { decision } = given(requested({ kind })).when((state) => expireApproval(state, due));
    expect(decision).toMatchObject({ ok: true, events: [{ type: 'ApprovalExpired' }] });
    const state = [requested({ kind }), { type: 'ApprovalExpired', data: { dueAt: NEXT_WEEK, expiredAt: NEXT_WEEK } } as const].reduce(approval.evolve, approval.initial);
    expect(state.status).toBe('expired');
    expect(decideApproval(state, yes, facts, person('bob'))).toMatchObject({ ok: false, rejection: { code: 'ALREADY_DECIDED' } });
  });

  it('leaves the silence about a veto to its own deadline', () => {
    given(requested({ kind: 'veto', autoCommitAt: NEXT_WEEK })).when((state) => expireApproval(state, new Date('2031-01-01T00:00:00Z'))).then([]);
  });

  it('asks everybody anew when the approved call itself failed', () => {
    const vote: ApprovalEvent = { type: 'ApprovalVoteCast', data: { by: ada, channel: 'api', assurance: 'api_key', castAt: now.toISOString(), actionDigest: DIGEST } };
    const approved: ApprovalEvent = { type: 'ApprovalApproved', data: { by: { kind: 'human', id: 'bob' }, channel: 'api', assurance: 'api_key', decidedAt: now.toISOString(), actionDigest: DIGEST } };
    const { decision } = given(requested({ quorum: 2 }), vote, approved, { type: 'ApprovedCallFailed', data: { callId: 'call_1', error: 'Jammed' } }).when((state) => decideApproval(state, yes, facts, person('bob')));
    expect(decision).toMatchObject({ ok: true, events: [{ type: 'ApprovalVoteCast' }] });
  });

  it('approves exactly when as many distinct people as asked for last said yes to one action, and nobody said no before', () => {
    const words = fc.array(fc.record({ who: fc.constantFrom('ann', 'bob', 'cid', 'dan', 'eva'), digest: fc.constantFrom(DIGEST, OTHER), no: fc.boolean() }), { maxLength: 20 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), words, (quorum, said) => {
        let state = approval.evolve(approval.initial, requested({ quorum }));
        const latest = new Map<string, string>();
        let expected: 'pending' | 'approved' | 'rejected' = 'pending';
        for (const [n, { who, digest, no: isNo }] of said.entries()) {
          const refuses = isNo && n % 5 === 4;
          const decision = decideApproval(state, refuses ? no : yes, { ...facts, actionDigest: digest }, person(who));
          if (expected !== 'pending') {
            expect(decision).toMatchObject({ ok: false, rejection: { code: 'ALREADY_DECIDED' } });
            continue;
          }
          if (!decision.ok) throw new Error(decision.rejection.detail);
          state = decision.events.reduce(approval.evolve, state);
          if (!refuses) latest.set(who, digest);
          const agreeing = [...latest.values()].filter((each) => each === digest).length;
          expected = refuses ? 'rejected' : agreeing >= quorum ? 'approved' : 'pending';
          expect(state.status).toBe(expected);
        }
      }),
      { numRuns: 500 },
    );
  });
});
