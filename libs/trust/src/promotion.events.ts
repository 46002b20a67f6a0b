import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';

export const PROMOTION_STATUSES = ['pending', 'approved', 'rejected', 'withdrawn'] as const;
const Person = z.strictObject({ kind: z.enum(['human', 'agent', 'service']), id: z.string(), role: z.string().optional() });
const Level = z.int().min(0).max(4);

/** What speaks for a promotion, and what the site asks for. */
export const Evidence = z.strictObject({
  /** Runs in a row that succeeded, up to now. */
  streak: z.int(),
  /** Decisions by humans, and how many of them approved. */
  decided: z.int(),
  approved: z.int(),
  rate: z.number(),
  openIncidents: z.int(),
  required: z.strictObject({ streak: z.int(), decided: z.int(), rate: z.number() }),
}).meta({ id: 'TrustEvidence' });

export const promotionEvents = eventFamily('promotion', {
  PromotionProposed: z.strictObject({
    promotionId: z.string(),
    siteId: z.string(),
    approvalId: z.string(),
    agentRole: z.string(),
    capability: z.string(),
    from: Level,
    to: Level,
    evidence: Evidence,
    proposedAt: z.string(),
    expiresAt: z.string(),
  }),
  PromotionDecided: z.strictObject({ decision: z.enum(['approved', 'rejected']), by: Person, decidedAt: z.string(), reason: z.string().nullable() }),
  PromotionWithdrawn: z.strictObject({ reason: z.string(), withdrawnAt: z.string() }),
});
export type PromotionEvent = EventOf<typeof promotionEvents>;
