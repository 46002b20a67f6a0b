import { approval, expireApproval } from '@app/approvals/contract';
import type { Executor } from '@app/event-store';
import { accept, type Context, type Rejected } from '@app/kernel';
import { promotion } from '../promotion.state';

/** What a timer calls when nobody decided a promotion in time: the question ends, the level stays. */
export const promotionExpiry =
  (executor: Executor) =>
  async (approvalId: string, context: Context): Promise<'done' | Rejected> => {
    const { state } = await executor.current(approval, approvalId);
    const promotionId = state.status === 'none' ? undefined : state.request.arguments['promotionId'];
    if (typeof promotionId !== 'string') return 'done';
    const refs = { promotion: { aggregate: promotion, id: promotionId }, approval: { aggregate: approval, id: approvalId } };
    const done = await executor.execute(refs, context, (states) => {
      const expired = expireApproval(states.approval, context.now);
      if (!expired.ok || expired.events.length === 0) return accept({});
      const withdrawn = { type: 'PromotionWithdrawn', data: { reason: 'nobody decided in time', withdrawnAt: context.now.toISOString() } } as const;
      return accept({ approval: expired.events, promotion: states.promotion.status === 'pending' ? [withdrawn] : [] });
    });
    return done.ok ? 'done' : done;
  };
