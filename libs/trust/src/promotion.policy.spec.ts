import { approval } from '@app/approvals/contract';
import { DEFAULT_SETTINGS, governance, type GovernanceEvent } from '@app/governance/contract';
import { ada, context, robot } from '@app/kernel/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { proposePromotion } from './check-promotions/propose-promotion.decide';
import { decidePromotion } from './decide-promotion/decide-promotion.decide';
import { candidatesOf, evidenceOf, isEligible } from './promotion.policy';
import { promotion } from './promotion.state';

const required = DEFAULT_SETTINGS.promotion;
const ROLE = 'Writer';
const CAPABILITY = 'items:update';
const NOW = context().now;

const siteAt = (level: number) => {
  const events: readonly GovernanceEvent[] = [
    { type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } },
    { type: 'AutonomyGranted', data: { agentRole: ROLE, capability: CAPABILITY, level, from: null, expiresAt: null, grantedBy: 'key_ada' } },
  ];
  return events.reduce(governance.evolve, governance.initial) as Extract<typeof governance.initial, { status: 'site' }>;
};
const good = evidenceOf(20, { decided: 20, approved: 19 }, 0, required);
const ids = { promotionId: 'prom_1', approvalId: 'appr_1', actionDigest: 'a'.repeat(64) };
const proposed = (from: number) => {
  const made = proposePromotion({ promotion: promotion.initial, governance: siteAt(from) }, { agentRole: ROLE, capability: CAPABILITY, from, to: from + 1 }, good, ids, context());
  if (!made.ok) throw new Error(made.rejection.detail);
  return { promotion: made.events.promotion.reduce(promotion.evolve, promotion.initial), approval: made.events.approval.reduce(approval.evolve, approval.initial) };
};
const admin = { actor: ada, isAdmin: true, channel: 'api', assurance: 'api_key' } as const;

describe('Promotion', () => {
  it('[TRUST-019] is due only when streak, decisions, their rate and the absence of open incidents hold together', () => {
    expect(required).toEqual({ streak: 20, decided: 10, rate: 0.95 });
    expect(isEligible(good)).toBe(true);
    for (const short of [
      evidenceOf(19, { decided: 20, approved: 20 }, 0, required), evidenceOf(20, { decided: 9, approved: 9 }, 0, required),
      evidenceOf(20, { decided: 20, approved: 18 }, 0, required), evidenceOf(20, { decided: 20, approved: 20 }, 1, required),
    ]) expect(isEligible(short)).toBe(false);
    fc.assert(
      fc.property(fc.nat({ max: 40 }), fc.nat({ max: 20 }), fc.nat({ max: 20 }), fc.nat({ max: 2 }), (streak, approved, rejected, open) => {
        const decided = approved + rejected;
        const due = streak >= 20 && decided >= 10 && approved / decided >= 0.95 && open === 0;
        expect(isEligible(evidenceOf(streak, { decided, approved }, open, required))).toBe(due);
      }),
      { numRuns: 500 },
    );
  });

  it('[TRUST-021] rises by exactly one, and never above 4', () => {
    expect([0, 1, 2, 3, 4].map((level) => candidatesOf(siteAt(level), NOW).find(({ agentRole }) => agentRole === ROLE)?.to)).toEqual([1, 2, 3, 4, undefined]);
  });

  it('lets no agent, no service and nobody but an admin decide, and no level rise that is not the one shown', () => {
    const states = (level: number) => ({ ...proposed(2), governance: siteAt(level) });
    const decide = (reviewer: Parameters<typeof decidePromotion>[2], level = 2) => decidePromotion(states(level), { decision: 'approved' }, reviewer, context());
    expect(decide({ ...admin, actor: robot })).toMatchObject({ ok: false, rejection: { code: 'FORBIDDEN' } });
    expect(decide({ ...admin, actor: { kind: 'service', id: 'key_cron' } })).toMatchObject({ ok: false, rejection: { code: 'FORBIDDEN' } });
    expect(decide({ ...admin, isAdmin: false })).toMatchObject({ ok: false, rejection: { code: 'FORBIDDEN' } });
    expect(decide(admin, 1)).toMatchObject({ ok: false, rejection: { code: 'ACTION_CHANGED' } });
    expect(decide(admin)).toMatchObject({ ok: true, events: { governance: [{ type: 'AutonomyPromoted', data: { from: 2, level: 3, decidedBy: ada.id } }] } });
  });
});
