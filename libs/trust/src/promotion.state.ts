import { unreachable, type Aggregate } from '@app/kernel';
import type { PromotionEvent } from './promotion.events';

type EventData<T extends PromotionEvent['type']> = Extract<PromotionEvent, { type: T }>['data'];
export type Proposal = EventData<'PromotionProposed'>;

export type Promotion =
  | { readonly status: 'none' }
  | { readonly status: 'pending'; readonly proposal: Proposal }
  | { readonly status: 'approved' | 'rejected'; readonly proposal: Proposal; readonly decided: EventData<'PromotionDecided'> }
  | { readonly status: 'withdrawn'; readonly proposal: Proposal; readonly withdrawn: EventData<'PromotionWithdrawn'> };

/** One proposal to raise one level, once. An end is final; what comes later is another proposal. */
export const promotion: Aggregate<Promotion, PromotionEvent> = {
  category: 'promotion',
  stateVersion: 1,
  initial: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'PromotionProposed') return { status: 'pending', proposal: event.data };
    if (state.status !== 'pending') return state;
    switch (event.type) {
      case 'PromotionDecided':
        return { status: event.data.decision, proposal: state.proposal, decided: event.data };
      case 'PromotionWithdrawn':
        return { status: 'withdrawn', proposal: state.proposal, withdrawn: event.data };
      default:
        return unreachable(event);
    }
  },
};
