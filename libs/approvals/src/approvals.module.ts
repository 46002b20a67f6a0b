import { Module } from '@nestjs/common';
import { GetApprovalHandler, ListApprovalsHandler } from './approval-list/approval-queries.handler';
import { ActOnApprovalController } from './act-on-approval/act-on-approval.controller';
import { ActOnApprovalHandler } from './act-on-approval/act-on-approval.handler';
import { ApprovalInsightController } from './approval-insight/approval-insight.controller';
import { ListSettledApprovalsHandler } from './approval-insight/list-settled-approvals.handler';
import { DecideApprovalsController } from './decide-approvals/decide-approvals.controller';
import { LegacyApprovalsController } from './legacy-approvals/legacy-approvals.controller';
import { ApprovalsController } from './decide-approval/approvals.controller';

/** The handler of a decision lives with the door: a decision may start a call. */
@Module({
  controllers: [ApprovalInsightController, DecideApprovalsController, ApprovalsController, ActOnApprovalController, LegacyApprovalsController],
  providers: [ActOnApprovalHandler, ListSettledApprovalsHandler, ListApprovalsHandler, GetApprovalHandler],
})
export class ApprovalsModule {}
