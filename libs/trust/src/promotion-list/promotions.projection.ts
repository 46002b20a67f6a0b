import { projection } from '@app/projections/contract';
import type { PromotionEvent } from '../promotion.events';
import type { PromotionView } from './promotion.view';

/** Every proposal of a site. */
export const promotions = projection<PromotionView, PromotionEvent>({
  name: 'promotions',
  version: 1,
  columns: {
    approvalId: 'text', agentRole: 'text', capability: 'text', from: 'integer', to: 'integer', evidence: 'jsonb', status: 'text', proposedAt: 'text',
    expiresAt: 'text', decidedBy: 'text', decidedAt: 'text', reason: 'text',
  },
  indexes: [['status', 'proposedAt'], ['agentRole', 'capability']],
  on: {
    PromotionProposed: (_row, { data: { promotionId, ...data } }) => ({ id: promotionId, ...data, status: 'pending', decidedBy: null, decidedAt: null, reason: null }),
    PromotionDecided: (row, { data: { decision, by, decidedAt, reason } }) => row && { ...row, status: decision, decidedBy: by.id, decidedAt, reason },
    PromotionWithdrawn: (row, { data: { reason, withdrawnAt } }) => row && { ...row, status: 'withdrawn', decidedAt: withdrawnAt, reason },
  },
});
