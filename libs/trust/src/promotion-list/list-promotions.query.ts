import { Query } from '@app/kernel';
import type { PROMOTION_STATUSES } from '../promotion.events';
import type { PromotionView } from './promotion.view';

export type PromotionFilter = {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly status?: (typeof PROMOTION_STATUSES)[number] | undefined;
  readonly agentRole?: string | undefined;
  readonly capability?: string | undefined;
  readonly minPosition?: bigint | undefined;
};

/** Newest first. */
export class ListPromotions extends Query<{ readonly rows: readonly PromotionView[]; readonly nextCursor: string | null; readonly position: bigint }> {
  constructor(
    readonly siteId: string,
    readonly filter: PromotionFilter,
  ) {
    super();
  }
}
