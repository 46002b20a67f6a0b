import { Module } from '@nestjs/common';
import { AnswerApprovalHandler } from './answer-parked-call/answer-approval.handler';
import { CarryOutRunHandler } from './carry-out-run/carry-out-run.handler';
import { RunsUnderWay } from './carry-out-run/runs-under-way';
import { CallRecords } from './door/call-records';
import { Dispatcher } from './door/dispatcher';
import { Door } from './door/door';
import { DecideApprovalHandler, PreviewToolCallHandler, RecoverCallHandler, RequestToolCallHandler, ResolveCallHandler } from './door/door.handlers';
import { Handling } from './door/handling';
import { RunDecisions } from './door/run-decisions';
import { DryRunToolCallHandler } from './dry-run/dry-run.handler';
import { InheritedCalls } from './inherited-call/inherited-calls';
import { GetToolCallHandler } from './recorded-call/get-tool-call.handler';
import { Doubts } from './recover-call/doubts';
import { Recovery } from './recover-call/recovery';
import { ReleaseRunHandler } from './release-run/release-run.handler';
import { ReportOutcomeController } from './report-outcome/report-outcome.controller';
import { ReportOutcomeHandler } from './report-outcome/report-outcome.handler';
import { RequestToolCallController } from './request-tool-call/request-tool-call.controller';
import { Resolution } from './resolve-call/resolution';
import { ResolveCallController } from './resolve-call/resolve-call.controller';

/** Needs `ToolHandlers` and `ExactArguments` from the app that composes it. */
@Module({
  controllers: [RequestToolCallController, ReportOutcomeController, ResolveCallController],
  providers: [
    CallRecords, Dispatcher, Door, Doubts, Handling, InheritedCalls, Recovery, Resolution, RunDecisions, RunsUnderWay,
    AnswerApprovalHandler, CarryOutRunHandler, DecideApprovalHandler, DryRunToolCallHandler, GetToolCallHandler, PreviewToolCallHandler, RecoverCallHandler, ReleaseRunHandler, ReportOutcomeHandler,
    RequestToolCallHandler, ResolveCallHandler,
  ],
})
export class ToolCallsModule {}
