import { decideApproval, personOf, type Approval, type ApprovalEvent, type Reviewer } from '@app/approvals/contract';
import type { Governance, GovernanceEvent } from '@app/governance/contract';
import { accept, missing, reject, type Context, type Decision } from '@app/kernel';
import type { z } from 'zod';
import { levelNow } from '../demotion.policy';
import type { PromotionEvent } from '../promotion.events';
import type { Promotion } from '../promotion.state';
import type { DecidePromotionBody } from './decide-promotion.command';

type Events = { readonly promotion: readonly PromotionEvent[]; readonly approval: readonly ApprovalEvent[]; readonly governance: readonly GovernanceEvent[] };

/** A human admin's word. The level rises by the one step that was shown, and only from the level that was shown. */
export const decidePromotion = (
  { promotion, approval, governance }: { readonly promotion: Promotion; readonly approval: Approval; readonly governance: Governance },
  { decision, reason }: z.infer<typeof DecidePromotionBody>,
  reviewer: Reviewer,
  { siteId, now }: Pick<Context, 'siteId' | 'now'>,
): Decision<Events> => {
  if (promotion.status === 'none' || promotion.proposal.siteId !== siteId || governance.status === 'none' || approval.status === 'none') return missing();
  if (!reviewer.isAdmin) return reject('forbidden', 'FORBIDDEN', 'An admin decides promotions.');
  const { promotionId, agentRole, capability, from, to } = promotion.proposal;
  const words = reason ?? (decision === 'rejected' ? 'No reason given' : undefined);
  const body = { decision, ...(words !== undefined && { reason: words }) };
  const decided = decideApproval(approval, body, { actionDigest: approval.request.actionDigest, requesters: [], now }, reviewer);
  if (!decided.ok) return decided;
  const level = levelNow(governance, agentRole, capability, now, 'lowest');
  if (decision === 'approved' && level !== from) {
    return reject('conflict', 'ACTION_CHANGED', `The level is ${level} by now and no more ${from}; let the ledger propose anew.`, { from, level });
  }
  const by = personOf(reviewer.actor);
  return accept({
    promotion: [{ type: 'PromotionDecided', data: { decision, by, decidedAt: now.toISOString(), reason: reason ?? null } }],
    approval: decided.events,
    governance: decision === 'approved' ? [{ type: 'AutonomyPromoted', data: { agentRole, capability, from, level: to, promotionId, decidedBy: by.id } }] : [],
  });
};
