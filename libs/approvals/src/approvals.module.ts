import { Module } from '@nestjs/common';
import { GetApprovalHandler, ListApprovalsHandler } from './approval-list/approval-queries.handler';
import { ApprovalsController } from './decide-approval/approvals.controller';

/** The handler of a decision lives with the door: a decision may start a call. */
@Module({ controllers: [ApprovalsController], providers: [ListApprovalsHandler, GetApprovalHandler] })
export class ApprovalsModule {}
