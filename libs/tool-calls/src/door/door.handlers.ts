import { CommandHandler, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DecideApproval } from '@app/approvals/contract';
import { PreviewToolCall, ToolHandlers } from '../contract';
import { RequestToolCall } from '../request-tool-call/request-tool-call.command';
import { Door } from './door';

@CommandHandler(RequestToolCall)
export class RequestToolCallHandler implements ICommandHandler<RequestToolCall> {
  constructor(private readonly door: Door) {}

  execute = (command: RequestToolCall) => this.door.request(command);
}

@CommandHandler(DecideApproval)
export class DecideApprovalHandler implements ICommandHandler<DecideApproval> {
  constructor(private readonly door: Door) {}

  execute = (command: DecideApproval) => this.door.decide(command);
}

@QueryHandler(PreviewToolCall)
export class PreviewToolCallHandler implements IQueryHandler<PreviewToolCall> {
  constructor(private readonly handlers: ToolHandlers) {}

  execute = ({ tool, input, context }: PreviewToolCall) => (this.handlers.handles(tool) ? this.handlers.preview(tool, input, context) : Promise.resolve([]));
}
