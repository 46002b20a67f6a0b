import { Body, Controller, Param, Post } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, orProblem, RequireCapability } from '@app/http';
import type { z } from 'zod';
import { reviewerOf } from '../reviewer.policy';
import {
  ActedApproval, ActOnApproval, AnswerApproval, AnswerApprovalBody, DelegateApprovalBody, EscalateApprovalBody, ExtendApprovalBody, type ApprovalAct,
} from './act-on-approval.command';

@Controller('agent/approvals')
@RequireCapability('approvals:decide')
export class ActOnApprovalController {
  constructor(private readonly bus: Bus) {}

  /** The text goes to the agent; the approval goes on waiting. */
  @Post(':approvalId/answer')
  @ApiAnswer(ActedApproval)
  async answer(@Param('approvalId') approvalId: string, @Body({ schema: AnswerApprovalBody }) { text }: z.infer<typeof AnswerApprovalBody>, @Caller() caller: Caller) {
    const context = caller.context();
    return orProblem(await this.bus.send(new AnswerApproval(approvalId, text, context, reviewerOf(caller.principal, context.actor))));
  }

  @Post(':approvalId/extend')
  @ApiAnswer(ActedApproval)
  extend(@Param('approvalId') approvalId: string, @Body({ schema: ExtendApprovalBody }) body: z.infer<typeof ExtendApprovalBody>, @Caller() caller: Caller) {
    return this.act(approvalId, { do: 'extend', ...body }, caller);
  }

  /** Hands one's own say to another person; others who may decide still may. */
  @Post(':approvalId/delegate')
  @ApiAnswer(ActedApproval)
  delegate(@Param('approvalId') approvalId: string, @Body({ schema: DelegateApprovalBody }) body: z.infer<typeof DelegateApprovalBody>, @Caller() caller: Caller) {
    return this.act(approvalId, { do: 'delegate', ...body }, caller);
  }

  /** From then on only an admin decides. */
  @Post(':approvalId/escalate')
  @ApiAnswer(ActedApproval)
  escalate(@Param('approvalId') approvalId: string, @Body({ schema: EscalateApprovalBody }) body: z.infer<typeof EscalateApprovalBody>, @Caller() caller: Caller) {
    return this.act(approvalId, { do: 'escalate', ...body }, caller);
  }

  private async act(approvalId: string, act: ApprovalAct, caller: Caller) {
    const context = caller.context();
    return orProblem(await this.bus.send(new ActOnApproval(approvalId, act, context, reviewerOf(caller.principal, context.actor))));
  }
}
