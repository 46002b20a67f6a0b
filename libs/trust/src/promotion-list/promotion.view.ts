import { z } from 'zod';
import { Evidence, PROMOTION_STATUSES } from '../promotion.events';

/** A proposal to raise a level by one, with what speaks for it. */
export const PromotionView = z.object({
  id: z.string(),
  siteId: z.string(),
  approvalId: z.string(),
  agentRole: z.string(),
  capability: z.string(),
  from: z.int(),
  to: z.int(),
  evidence: Evidence,
  status: z.enum(PROMOTION_STATUSES),
  proposedAt: z.string(),
  expiresAt: z.string(),
  decidedBy: z.string().nullable(),
  decidedAt: z.string().nullable(),
  reason: z.string().nullable(),
}).meta({ id: 'Promotion' });
export type PromotionView = Readonly<z.infer<typeof PromotionView>>;
