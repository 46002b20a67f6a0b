import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { missing, type Outcome } from '@app/kernel';
import { callIn, isOpened, run as runAggregate } from '@app/runs/contract';
import { CallRecords } from '../door/call-records';
import { answerOf, type ToolCallAnswer } from '../tool-call-answer.view';
import { GetToolCall } from './get-tool-call.query';

@QueryHandler(GetToolCall)
export class GetToolCallHandler implements IQueryHandler<GetToolCall> {
  constructor(
    private readonly executor: Executor,
    private readonly records: CallRecords,
  ) {}

  async execute({ runId, callId, principal, context }: GetToolCall): Promise<Outcome<ToolCallAnswer>> {
    const { state, position } = await this.executor.current(runAggregate, runId);
    if (!isOpened(state) || state.envelope.context.siteId !== context.siteId) return missing();
    if (state.envelope.principalId !== principal.id && !principal.roles.includes('admin')) return missing();
    if (!callIn(state.calls, callId)) return missing();
    return { ok: true, data: answerOf(await this.records.of(state, callId)), position };
  }
}
