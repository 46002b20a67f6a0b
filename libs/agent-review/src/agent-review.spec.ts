import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { approval as approvalAggregate, type Approval, type ApprovalEvent } from '@app/approvals/contract';
import { governance, type GovernanceEvent, type Site } from '@app/governance/contract';
import { run, type Run, type RunEvent } from '@app/runs/contract';
import { escalateReview } from './agent-decide/agent-decide.decide';
import { agentDecisionRefusal, reviewRefusal, type ReviewFacts } from './agent-review.policy';
import { lineageOf } from './goal-lineage';

const NOW = new Date('2026-11-30T10:00:00.000Z');

const site = (...more: readonly GovernanceEvent[]): Site =>
  ([
    { type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } },
    { type: 'FlagChanged', data: { flag: 'agentReview', on: true } },
    { type: 'RoleDefined', data: { role: { name: 'Checker', description: '', capabilities: ['review:items'] } } },
    { type: 'RoleDefined', data: { role: { name: 'Architect', description: '', capabilities: ['review:schema'] } } },
    ...more,
  ] as readonly GovernanceEvent[]).reduce(governance.evolve, governance.initial) as Site;

const reviewing = (agentRole: string | undefined = 'Checker', more: readonly RunEvent[] = [], capabilities: readonly string[] = ['*']): Run =>
  ([
    { type: 'RunStarted', data: { runId: 'run_2', goalId: 'goal_2', agentName: 'checker', ...(agentRole !== undefined && { agentRole }), kind: 'external' } },
    {
      type: 'EnvelopeSealed',
      data: {
        envelope: {
          goalId: 'goal_2', runId: 'run_2', agentName: 'checker', context: { siteId: 'site_a', collections: [], policySnapshotHash: 'h' },
          budget: { maxToolCalls: 20, maxCostUsd: 2, timeoutMs: 30_000, maxArtifactBytes: 524_288 }, risk: 'safe', approvalPolicy: 'none', artifacts: [],
          capabilities: [...capabilities], principalId: 'key_checker',
        },
      },
    },
    ...more,
  ] as readonly RunEvent[]).reduce(run.evolve, run.initial);

type Requested = Extract<ApprovalEvent, { type: 'ApprovalRequested' }>['data'];
const pending = (more: Partial<Requested> = {}, ...later: readonly ApprovalEvent[]): Approval =>
  ([
    {
      type: 'ApprovalRequested',
      data: {
        approvalId: 'appr_1', siteId: 'site_a', kind: 'tool_call', domain: 'items', subject: 'deleteItem', goalId: 'goal_1', runId: 'run_1', callId: 'call_1', tool: 'deleteItem',
        arguments: {}, actionDigest: 'a'.repeat(64), capability: 'items:delete', policy: 'dangerous_tool', agentRole: null, quorum: 1, humanOnly: false, autoCommitAt: null,
        requestedBy: { kind: 'agent', id: 'key_robot' }, requestedAt: NOW.toISOString(), expiresAt: '2026-12-07T10:00:00.000Z', ...more,
      },
    },
    ...later,
  ] as readonly ApprovalEvent[]).reduce(approvalAggregate.evolve, approvalAggregate.initial);

const reviewer = (more: Partial<ReviewFacts['reviewer']['review']> = {}) => ({
  actor: { kind: 'agent', id: 'key_checker', role: 'Checker' } as const,
  review: { runId: 'run_2', capabilities: ['review:items', 'review:schema'], confidence: 0.9, lineage: ['goal_2'], subjectLineage: ['goal_1'], ...more },
});
const facts = (more: Partial<ReviewFacts> = {}): ReviewFacts => ({ site: site(), approval: pending(), reviewing: reviewing(), reviewer: reviewer(), now: NOW, ...more });
const codeOf = (more: Partial<ReviewFacts> = {}) => reviewRefusal(facts(more))?.rejection.code;
const verdictOf = (verdict: 'approve' | 'reject', confidence: number, more: Partial<ReviewFacts> = {}) =>
  escalateReview(facts(more), { reviewerRunId: 'run_2', verdict, confidence, reason: 'Looked at it' });

describe('An agent that reviews', () => {
  it('may review what another tree asked for, with a role and a key that hold the review of its domain', () => {
    expect(codeOf()).toBeUndefined();
    expect(codeOf({ approval: pending({ domain: 'schema' }), reviewing: reviewing('Architect') })).toBeUndefined();
  });

  it('[REVIEW-001] reviews nothing while the flag is off, whatever else holds', () => {
    const off = site({ type: 'FlagChanged', data: { flag: 'agentReview', on: false } });
    expect([codeOf({ site: off }), codeOf({ site: off, approval: { status: 'none' } })]).toEqual(['FLAG_OFF', 'FLAG_OFF']);
  });

  it('[REVIEW-003] [REVIEW-004] needs the capability of the domain in its role', () => {
    for (const [domain, allowed] of [['items', 'Checker'], ['schema', 'Architect']] as const) {
      for (const role of ['Checker', 'Architect', 'Nobody', undefined]) {
        const run = role === undefined ? { ...reviewing(), agentRole: undefined } as unknown as Run : reviewing(role);
        expect([domain, role, codeOf({ approval: pending({ domain }), reviewing: run })]).toEqual([domain, role, role === allowed ? undefined : 'FORBIDDEN']);
      }
    }
    expect(codeOf({ approval: pending({ domain: 'tools' }) })).toBe('FORBIDDEN');
  });

  it('[REVIEW-004] needs it in its key too, in the captured one and in the present one, and its role must be enabled', () => {
    expect(codeOf({ reviewing: reviewing('Checker', [], ['items:read']) })).toBe('FORBIDDEN');
    expect(codeOf({ reviewer: reviewer({ capabilities: ['items:read'] }) })).toBe('FORBIDDEN');
    expect(codeOf({ site: site({ type: 'RoleDisabled', data: { name: 'Checker' } }) })).toBe('FORBIDDEN');
  });

  it.each(['veto', 'promotion'] as const)('[REVIEW-006] [REVIEW-007] never decides a %s', (kind) => {
    const approval = pending({ kind });
    expect(codeOf({ approval })).toBe('FORBIDDEN');
    const { reviewer: by, ...rest } = facts({ approval });
    expect(agentDecisionRefusal({ ...rest, reviewer: { ...by, isAdmin: false, channel: 'agent_review', assurance: 'api_key' } })?.rejection.code).toBe('FORBIDDEN');
  });

  it('decides nothing that is for humans only, was escalated to an admin, is decided or has expired', () => {
    expect(codeOf({ approval: pending({ humanOnly: true }) })).toBe('FORBIDDEN');
    expect(codeOf({ approval: pending({}, { type: 'ApprovalEscalated', data: { by: { kind: 'human', id: 'key_ada' }, reason: 'Too large' } }) })).toBe('FORBIDDEN');
    expect(codeOf({ approval: pending({}, { type: 'ApprovalSuperseded', data: { reason: 'the run has ended' } }) })).toBe('ALREADY_DECIDED');
    expect(codeOf({ now: new Date('2026-12-07T10:00:00.000Z') })).toBe('ALREADY_DECIDED');
  });

  it('speaks only through a live, unfrozen run of its own', () => {
    expect(codeOf({ reviewing: reviewing('Checker', [{ type: 'RunSucceeded', data: { stopReason: 'completed' } }]) })).toBe('RUN_TERMINAL');
    expect(codeOf({ reviewing: reviewing('Checker', [{ type: 'RunCancelRequested', data: {} }]) })).toBe('RUN_TERMINAL');
    expect(codeOf({ reviewing: run.initial })).toBe('FORBIDDEN');
    expect(codeOf({ reviewer: { ...reviewer(), actor: { kind: 'agent', id: 'key_other' } } })).toBe('FORBIDDEN');
    const frozen = site({ type: 'ScopeFrozen', data: { freezeId: 'f', scope: 'role', targetId: 'Checker', reason: null, by: 'key_ada' } });
    expect(codeOf({ site: frozen })).toBe('FROZEN');
  });

  it.each([['reject', 1, 'rejected'], ['approve', 0.79, 'low_confidence'], ['approve', 0, 'low_confidence'], ['reject', 0, 'rejected']] as const)(
    '[REVIEW-008] [REVIEW-011] %s at %d is left to a human, with a deep link', (verdict, confidence, cause) => {
      expect(verdictOf(verdict, confidence)).toMatchObject({
        ok: true, events: [{ type: 'ReviewEscalated', data: { verdict, confidence, cause, minConfidence: 0.8, deepLink: '/studio#/approvals/appr_1', by: { kind: 'agent', id: 'key_checker', role: 'Checker' } } }],
      });
    },
  );

  it('[REVIEW-008] [REVIEW-009] decides from the floor of the site on, 0.8 unless it is set', () => {
    const floor = (agentReviewMinConfidence: number) => ({ site: site({ type: 'SettingsChanged', data: { changes: { agentReviewMinConfidence } } }) });
    const escalates = (confidence: number, more: Partial<ReviewFacts> = {}) => {
      const decision = verdictOf('approve', confidence, more);
      return decision.ok && decision.events.length > 0;
    };
    expect([escalates(0.8), escalates(0.7999), escalates(0.94, floor(0.95)), escalates(0.95, floor(0.95)), escalates(0.1, floor(0.1))]).toEqual([false, true, true, false, false]);
  });

  it('is nobody’s second person: a quorum is left to people', () => {
    expect(verdictOf('approve', 1, { approval: pending({ quorum: 2 }) })).toMatchObject({ ok: true, events: [{ data: { cause: 'quorum' } }] });
  });

  it('has one say: once it left an approval to a human, neither it nor another agent decides', () => {
    const first = verdictOf('approve', 0.5);
    const approval = pending({}, ...(first.ok ? first.events : []));
    expect(verdictOf('approve', 0.5, { approval })).toEqual({ ok: true, events: [] });
    expect(verdictOf('approve', 1, { approval })).toMatchObject({ ok: false, rejection: { code: 'FORBIDDEN' } });
    const other = { reviewerRunId: 'run_3', verdict: 'reject', confidence: 1, reason: 'No' } as const;
    expect(escalateReview(facts({ approval }), other)).toMatchObject({ ok: false, rejection: { code: 'FORBIDDEN' } });
    const { reviewer: by, ...rest } = facts({ approval });
    expect(agentDecisionRefusal({ ...rest, reviewer: { ...by, isAdmin: false, channel: 'agent_review', assurance: 'api_key' } })?.rejection.code).toBe('FORBIDDEN');
  });
});

describe('Self-review', () => {
  it('[REVIEW-005] is impossible over any forest of goals, at any distance (property O8)', async () => {
    const forest = fc.array(fc.nat(), { minLength: 1, maxLength: 40 }).map((parents) => parents.map((n, i) => (n % (i + 1) === i ? null : `goal_${n % (i + 1)}`)));
    await fc.assert(
      fc.asyncProperty(forest, fc.nat(), fc.nat(), async (parents, a, b) => {
        const parentOf = (goalId: string) => Promise.resolve(parents[Number(goalId.slice('goal_'.length))]);
        const [asking, looking] = [a, b].map((n) => `goal_${n % parents.length}`) as [string, string];
        const rootOf = async (goalId: string): Promise<string> => {
          const parent = await parentOf(goalId);
          return parent ? rootOf(parent) : goalId;
        };
        const oneTree = (await rootOf(asking)) === (await rootOf(looking));
        const review = { lineage: await lineageOf(looking, parentOf), subjectLineage: await lineageOf(asking, parentOf) };
        const refusal = reviewRefusal(facts({ approval: pending({ goalId: asking }), reviewer: reviewer(review) }));
        expect(refusal?.rejection.code).toBe(oneTree ? 'FORBIDDEN' : undefined);
      }),
      { numRuns: 500 },
    );
  });

  it('[REVIEW-005] is assumed when the way to the root cannot be followed: an unknown parent, or a circle', async () => {
    const parents: Readonly<Record<string, string | null>> = { lost: 'nowhere', one: 'two', two: 'one', fine: null };
    const parentOf = (goalId: string) => Promise.resolve(parents[goalId]);
    expect(await lineageOf('lost', parentOf)).toBeUndefined();
    expect(await lineageOf('one', parentOf)).toBeUndefined();
    expect(await lineageOf('fine', parentOf)).toEqual(['fine']);
    expect(codeOf({ reviewer: reviewer({ lineage: undefined }) })).toBe('FORBIDDEN');
    expect(codeOf({ reviewer: reviewer({ subjectLineage: undefined }) })).toBe('FORBIDDEN');
  });
});
