import type { CheckedPromotions, DecidedPromotion, DecidePromotionBody, PromotionView } from '@app/trust/contract';
import type { InputOf } from './connection/input-of';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';

/** A proposal to raise a role's level for a capability by one, with what speaks for it. */
export type Promotion = PromotionView;
export type { CheckedPromotions, DecidedPromotion };
export type PromotionDecision = InputOf<typeof DecidePromotionBody>;

/** Without a status: the proposals that wait. */
export type PromotionQuery = ListQuery & {
  readonly status?: Promotion['status'] | undefined;
  readonly agentRole?: string | undefined;
  readonly capability?: string | undefined;
};

/** Trust that was earned, proposed to people. */
export class Promotions {
  constructor(private readonly transport: Transport) {}

  list = (query: PromotionQuery = {}, options: ReadOptions = {}): Promise<Page<Promotion>> => this.transport.page('/agent/autonomy/promotions', { ...options, query });

  each = (query: PromotionQuery = {}, options: ReadOptions = {}): AsyncGenerator<Promotion> => everyRow((cursor) => this.list({ ...query, cursor }, options));

  /** Looks at every role and capability of the site; a proposal changes no level. */
  check = (options?: WriteOptions): Promise<Answer<CheckedPromotions>> => this.transport.write('POST', '/agent/autonomy/promotions/check', undefined, options);

  /** Needs the role `admin`. */
  decide = (promotionId: string, decision: PromotionDecision, options?: WriteOptions): Promise<Answer<DecidedPromotion>> =>
    this.transport.write('POST', path`/agent/autonomy/promotions/${promotionId}/decide`, decision, options);
}
