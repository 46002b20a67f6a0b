import { CommandHandler, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DecideApproval } from '@app/approvals/contract';
import { Executor } from '@app/event-store';
import { governance, toolOf } from '@app/governance/contract';
import { maskUnder } from '@app/vault/contract';
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
  constructor(
    private readonly executor: Executor,
    private readonly handlers: ToolHandlers,
  ) {}

  async execute({ tool: name, input, context }: PreviewToolCall) {
    const tool = toolOf((await this.executor.states.load(governance, context.siteId)).state, name);
    const changes = tool && this.handlers.handles(tool) ? await this.handlers.preview(tool, input, context) : [];
    return changes.map(({ path, before, after }) => ({ path, before: maskUnder(path, before), after: maskUnder(path, after) }));
  }
}
