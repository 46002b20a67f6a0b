import { CommandHandler, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import { approval, DecideApproval } from '@app/approvals/contract';
import { DecideArtifact } from '@app/artifacts/contract';
import { Bus } from '@app/cqrs';
import { Executor } from '@app/event-store';
import { governance, toolOf } from '@app/governance/contract';
import { maskUnder } from '@app/vault/contract';
import { PreviewToolCall, ToolHandlers } from '../contract';
import { WORKER_LOST } from '../recover-call/indeterminate.decide';
import { RecoverCall } from '../recover-call/recover-call.command';
import { Recovery } from '../recover-call/recovery';
import { RequestToolCall } from '../request-tool-call/request-tool-call.command';
import { Resolution } from '../resolve-call/resolution';
import { ResolveCall } from '../resolve-call/resolve-call.command';
import { Door } from './door';

@CommandHandler(RequestToolCall)
export class RequestToolCallHandler implements ICommandHandler<RequestToolCall> {
  constructor(private readonly door: Door) {}

  execute = (command: RequestToolCall) => this.door.request(command);
}

@CommandHandler(DecideApproval)
export class DecideApprovalHandler implements ICommandHandler<DecideApproval> {
  constructor(
    private readonly door: Door,
    private readonly resolution: Resolution,
    private readonly executor: Executor,
    private readonly bus: Bus,
  ) {}

  /** An approval that asks about a call of a lost worker is another question than one that asks whether to begin; an artifact holds no call at all. */
  async execute(command: DecideApproval) {
    const warm = (await this.executor.states.load(approval, command.approvalId)).state;
    const state = warm.status === 'none' ? (await this.executor.current(approval, command.approvalId)).state : warm;
    const { kind = null, policy = null, runId = null, callId = null } = state.status === 'none' || state.request.siteId !== command.context.siteId ? {} : state.request;
    if (kind === 'artifact') return this.bus.send(new DecideArtifact(command.approvalId, command.body, command.context, command.reviewer));
    return policy === WORKER_LOST && runId !== null && callId !== null ? this.resolution.decide(command, { runId, callId }) : this.door.decide(command);
  }
}

@CommandHandler(RecoverCall)
export class RecoverCallHandler implements ICommandHandler<RecoverCall> {
  constructor(private readonly recovery: Recovery) {}

  execute = (command: RecoverCall) => this.recovery.recover(command);
}

@CommandHandler(ResolveCall)
export class ResolveCallHandler implements ICommandHandler<ResolveCall> {
  constructor(private readonly resolution: Resolution) {}

  execute = (command: ResolveCall) => this.resolution.resolve(command);
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
