import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { reviewerOf } from '@app/approvals/contract';
import { Bus } from '@app/cqrs';
import { ApiAnswer, ApiList, Caller, listAnswer, ListQuery, MinPosition, orProblem, RequireCapability, RequireRole } from '@app/http';
import { z } from 'zod';
import { CheckedPromotions, CheckPromotions } from '../check-promotions/check-promotions.command';
import { DecidedPromotion, DecidePromotion, DecidePromotionBody } from '../decide-promotion/decide-promotion.command';
import { PROMOTION_STATUSES } from '../promotion.events';
import { ListPromotions } from './list-promotions.query';
import { PromotionView } from './promotion.view';

const text = z.string().min(1).max(100).optional();
const PromotionsQuery = ListQuery.omit({ sort: true }).extend({ status: z.enum(PROMOTION_STATUSES).default('pending'), agentRole: text, capability: text });

@Controller('agent/autonomy/promotions')
export class PromotionsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @ApiList(PromotionView)
  async list(@Query({ schema: PromotionsQuery }) query: z.infer<typeof PromotionsQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() { siteId }: Caller) {
    return listAnswer(await this.bus.ask(new ListPromotions(siteId, { ...query, minPosition })));
  }

  /** Looks at every role and capability; a proposal changes no level. */
  @Post('check')
  @RequireCapability('autonomy:write')
  @ApiAnswer(CheckedPromotions)
  async check(@Caller() caller: Caller) {
    return orProblem(await this.bus.send(new CheckPromotions(caller.context())));
  }

  @Post(':promotionId/decide')
  @RequireRole('admin')
  @ApiAnswer(DecidedPromotion)
  async decide(@Param('promotionId') promotionId: string, @Body({ schema: DecidePromotionBody }) body: z.infer<typeof DecidePromotionBody>, @Caller() caller: Caller) {
    const context = caller.context();
    return orProblem(await this.bus.send(new DecidePromotion(promotionId, body, context, reviewerOf(caller.principal, context.actor))));
  }
}
