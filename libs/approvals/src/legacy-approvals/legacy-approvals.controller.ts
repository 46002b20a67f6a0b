import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { answer, ApiAnswer, ApiList, Caller, listAnswer, MinPosition, ProblemException, ReadQuery, RequireCapability } from '@app/http';
import type { z } from 'zod';
import { ListApprovals } from '../approval-list/approval-queries.query';
import { DecideApproval } from '../decide-approval/decide-approval.command';
import { reviewerOf } from '../reviewer.policy';
import { legacyAnswer, LegacyAnswer, legacyApproval, LegacyApproval, LegacyDecisionBody } from './legacy-approval.view';

const MOST = 100;

/** The classic copilot's routes: another view of the same approvals, with the same door behind them. */
@Controller('ai/approvals')
export class LegacyApprovalsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @ApiList(LegacyApproval)
  async list(@Query({ schema: ReadQuery }) _query: z.infer<typeof ReadQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() { siteId }: Caller) {
    const page = await this.bus.ask(new ListApprovals(siteId, { status: 'pending', kind: 'tool_call', limit: MOST, minPosition }));
    return listAnswer({ ...page, nextCursor: null }, legacyApproval);
  }

  /** What is missing, foreign, decided or refused is `denied`; no reason is needed. */
  @Post(':approvalId/decide')
  @RequireCapability('approvals:decide')
  @ApiAnswer(LegacyAnswer)
  async decide(@Param('approvalId') approvalId: string, @Body({ schema: LegacyDecisionBody }) body: z.infer<typeof LegacyDecisionBody>, @Caller() caller: Caller) {
    const context = caller.context();
    const outcome = await this.bus.send(new DecideApproval(approvalId, body, context, reviewerOf(caller.principal, context.actor, 'legacy_api')));
    if (outcome.ok) return answer(legacyAnswer(outcome.data), outcome.position);
    if (outcome.rejection.kind === 'unavailable') throw ProblemException.of(outcome.rejection);
    const denied: LegacyAnswer = { status: 'denied', approvalId, agentApprovalId: approvalId, message: outcome.rejection.detail };
    return answer(denied, 0n);
  }
}
