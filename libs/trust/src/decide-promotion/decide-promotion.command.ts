import type { Reviewer } from '@app/approvals/contract';
import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { PROMOTION_STATUSES } from '../promotion.events';

export const DecidePromotionBody = z
  .strictObject({ decision: z.enum(['approved', 'rejected']), reason: z.string().trim().min(1).max(2_000).optional() })
  .meta({ id: 'DecidePromotion' });

export const DecidedPromotion = z
  .object({ id: z.string(), status: z.enum(PROMOTION_STATUSES), agentRole: z.string(), capability: z.string(), level: z.int() })
  .meta({ id: 'DecidedPromotion' });
export type DecidedPromotion = z.infer<typeof DecidedPromotion>;

/** The only thing that makes a proposal take effect. */
export class DecidePromotion extends Command<Outcome<DecidedPromotion>> {
  constructor(
    readonly promotionId: string,
    readonly body: z.infer<typeof DecidePromotionBody>,
    readonly context: Context,
    readonly reviewer: Reviewer,
  ) {
    super();
  }
}
