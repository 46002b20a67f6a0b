import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { approval } from '@app/approvals/contract';
import { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { missing, type Outcome } from '@app/kernel';
import { promotion } from '../promotion.state';
import { DecidePromotion, type DecidedPromotion } from './decide-promotion.command';
import { decidePromotion } from './decide-promotion.decide';

@CommandHandler(DecidePromotion)
export class DecidePromotionHandler implements ICommandHandler<DecidePromotion> {
  constructor(private readonly executor: Executor) {}

  async execute({ promotionId, body, context, reviewer }: DecidePromotion): Promise<Outcome<DecidedPromotion>> {
    const { state } = await this.executor.current(promotion, promotionId);
    if (state.status === 'none' || state.proposal.siteId !== context.siteId) return missing();
    const refs = {
      promotion: { aggregate: promotion, id: promotionId },
      approval: { aggregate: approval, id: state.proposal.approvalId },
      governance: { aggregate: governance, id: context.siteId },
    };
    const done = await this.executor.execute(refs, context, (states) => decidePromotion(states, body, reviewer, context));
    if (!done.ok) return done;
    const { agentRole, capability, from, to } = state.proposal;
    const { status } = done.states.promotion;
    return status === 'none' ? missing() : { ok: true, data: { id: promotionId, status, agentRole, capability, level: status === 'approved' ? to : from }, position: done.position };
  }
}
