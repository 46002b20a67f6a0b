import { Module } from '@nestjs/common';
import { Door } from './door/door';
import { DecideApprovalHandler, PreviewToolCallHandler, RequestToolCallHandler } from './door/door.handlers';
import { Handling } from './door/handling';
import { RequestToolCallController } from './request-tool-call/request-tool-call.controller';

/** Needs `ToolHandlers` and `CurrentCapabilities` from the app that composes it. */
@Module({
  controllers: [RequestToolCallController],
  providers: [Door, Handling, RequestToolCallHandler, DecideApprovalHandler, PreviewToolCallHandler],
})
export class ToolCallsModule {}
