import { Module } from '@nestjs/common';
import { AnswerApprovalHandler } from './answer-parked-call/answer-approval.handler';
import { CarryOutRunHandler } from './carry-out-run/carry-out-run.handler';
import { CallRecords } from './door/call-records';
import { Door } from './door/door';
import { DecideApprovalHandler, PreviewToolCallHandler, RequestToolCallHandler } from './door/door.handlers';
import { Handling } from './door/handling';
import { RunDecisions } from './door/run-decisions';
import { DryRunToolCallHandler } from './dry-run/dry-run.handler';
import { RequestToolCallController } from './request-tool-call/request-tool-call.controller';

/** Needs `ToolHandlers` and `ExactArguments` from the app that composes it. */
@Module({
  controllers: [RequestToolCallController],
  providers: [CarryOutRunHandler, CallRecords, Door, Handling, RunDecisions, AnswerApprovalHandler, RequestToolCallHandler, DecideApprovalHandler, PreviewToolCallHandler, DryRunToolCallHandler],
})
export class ToolCallsModule {}
