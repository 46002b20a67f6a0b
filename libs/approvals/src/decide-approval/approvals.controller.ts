import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, ApiList, Caller, listAnswer, ListQuery, MinPosition, orProblem, RequireCapability } from '@app/http';
import { z } from 'zod';
import { APPROVAL_STATUSES } from '../approval.events';
import { GetApproval, ListApprovals } from '../approval-list/approval-queries.query';
import { ApprovalDetail, ApprovalView } from '../approval-list/approval.view';
import { reviewerOf } from '../reviewer.policy';
import { DecideApproval, DecideApprovalBody, DecidedApprovalView } from './decide-approval.command';

const text = z.string().min(1).max(100).optional();
const ApprovalsQuery = ListQuery.omit({ sort: true }).extend({ status: z.enum(APPROVAL_STATUSES).optional(), runId: text, domain: text });

@Controller('agent/approvals')
export class ApprovalsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @ApiList(ApprovalView)
  async list(@Query({ schema: ApprovalsQuery }) query: z.infer<typeof ApprovalsQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() { siteId }: Caller) {
    return listAnswer(await this.bus.ask(new ListApprovals(siteId, { ...query, minPosition })));
  }

  @Get(':approvalId')
  @ApiAnswer(ApprovalDetail)
  async get(@Param('approvalId') approvalId: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.ask(new GetApproval(approvalId, caller.context())));
  }

  @Post(':approvalId/decide')
  @RequireCapability('approvals:decide')
  @ApiAnswer(DecidedApprovalView)
  async decide(@Param('approvalId') approvalId: string, @Body({ schema: DecideApprovalBody }) body: DecideApprovalBody, @Caller() caller: Caller) {
    const context = caller.context();
    return orProblem(await this.bus.send(new DecideApproval(approvalId, body, context, reviewerOf(caller.principal, context.actor))));
  }
}
