import type { ApprovalEvent, Approval } from '@app/approvals/contract';
import { domainOf, type Governance } from '@app/governance/contract';
import { accept, type Context, type Decision } from '@app/kernel';
import { levelNow } from '../demotion.policy';
import type { PromotionEvent } from '../promotion.events';
import { isEligible, type Candidate, type Evidence } from '../promotion.policy';
import type { Promotion } from '../promotion.state';

export type PromotionEvents = { readonly promotion: readonly PromotionEvent[]; readonly approval: readonly ApprovalEvent[] };
type Ids = { readonly promotionId: string; readonly approvalId: string; readonly actionDigest: string };

const NOTHING: PromotionEvents = { promotion: [], approval: [] };
/** It is the ledger that asks, so nobody decides their own request. */
const LEDGER = { kind: 'service', id: 'trust-ledger' } as const;

/** Asks an admin whether a role may do more by itself. Nothing changes until a human says so; silence ends the question. */
export const proposePromotion = (
  { promotion, governance }: { readonly promotion: Promotion; readonly governance: Governance },
  { agentRole, capability, from, to }: Candidate,
  evidence: Evidence,
  { promotionId, approvalId, actionDigest }: Ids,
  { siteId, now }: Pick<Context, 'siteId' | 'now'>,
): Decision<PromotionEvents> => {
  if (promotion.status !== 'none' || governance.status === 'none' || !isEligible(evidence)) return accept(NOTHING);
  if (levelNow(governance, agentRole, capability, now, 'lowest') !== from) return accept(NOTHING);
  const { approvalExpiryMs, approvalExpiryMsByKind } = governance.settings;
  const proposedAt = now.toISOString();
  const expiresAt = new Date(now.getTime() + (approvalExpiryMsByKind.promotion ?? approvalExpiryMs)).toISOString();
  return accept({
    promotion: [{ type: 'PromotionProposed', data: { promotionId, siteId, approvalId, agentRole, capability, from, to, evidence, proposedAt, expiresAt } }],
    approval: [
      {
        type: 'ApprovalRequested',
        data: {
          approvalId, siteId, kind: 'promotion', domain: domainOf(capability), subject: `${agentRole} from level ${from} to ${to} for ${capability}`,
          goalId: null, runId: null, callId: null, tool: null, arguments: { promotionId, agentRole, capability, from, to, evidence }, actionDigest, capability,
          policy: 'trust_ledger', agentRole, quorum: 1, humanOnly: true, autoCommitAt: null, requestedBy: LEDGER, requestedAt: proposedAt, expiresAt,
        },
      },
    ],
  });
};

/** Takes a proposal back whose ground is gone. */
export const withdrawPromotion = (
  { promotion, approval }: { readonly promotion: Promotion; readonly approval: Approval },
  reason: string,
  now: Date,
): Decision<PromotionEvents> =>
  accept({
    promotion: promotion.status === 'pending' ? [{ type: 'PromotionWithdrawn', data: { reason, withdrawnAt: now.toISOString() } }] : [],
    approval: approval.status === 'pending' ? [{ type: 'ApprovalSuperseded', data: { reason } }] : [],
  });
