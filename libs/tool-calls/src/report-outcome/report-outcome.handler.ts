import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { missing, reject, type Outcome } from '@app/kernel';
import { callIn, type RunEvent } from '@app/runs/contract';
import { maskSecrets } from '@app/vault/contract';
import { CallRecords } from '../door/call-records';
import { recordable } from '../door/recordable';
import { RunDecisions } from '../door/run-decisions';
import { doorStreams } from '../door/run-streams';
import { settleToolCall, type CallOutcome } from '../settle-tool-call/settle-tool-call.decide';
import { answerOf, BY_CLIENT, type ToolCallAnswer } from '../tool-call-answer.view';
import { ReportOutcome, type ReportOutcomeBody } from './report-outcome.command';

@CommandHandler(ReportOutcome)
export class ReportOutcomeHandler implements ICommandHandler<ReportOutcome> {
  constructor(
    private readonly decisions: RunDecisions,
    private readonly records: CallRecords,
  ) {}

  /** The first report counts; a repeat is answered with what is on record. */
  async execute({ runId, callId, body, principal, context }: ReportOutcome): Promise<Outcome<ToolCallAnswer>> {
    const run = await this.decisions.current(runId, context.siteId);
    if (!run || (run.envelope.principalId !== principal.id && !principal.roles.includes('admin'))) return missing();
    const approvalId = 'appr_none';
    const call = callIn(run.calls, callId);
    if (!call) return missing();
    const asked = call.status === 'authorised' ? call.asked : undefined;
    const streams = doorStreams({ runId, goalId: run.goalId, siteId: context.siteId, approvalId: asked?.approvalId ?? approvalId, principalId: run.envelope.principalId });
    const outcome = outcomeOf(maskSecrets(body).masked);
    const done = await this.decisions.decide(streams, { ...context, runId, goalId: run.goalId }, (state) => {
      const open = state.calls.open[callId];
      if (open && (open.status !== 'authorised' || open.asked.handledBy !== BY_CLIENT)) return notTheirs(callId, open.status);
      return settleToolCall(state, callId, outcome);
    });
    if (!done.ok) return done;
    const told: readonly RunEvent[] = asked ? [{ type: 'ToolCallAuthorised', data: asked }, ...(done.events.run ?? [])] : [];
    return { ok: true, data: answerOf(await this.records.of(done.states.run, callId, told)), position: done.position };
  }
}

const outcomeOf = ({ status, result, error, runtimeMs }: ReportOutcomeBody): CallOutcome =>
  status === 'executed' ? recordable(result, runtimeMs) : { ok: false, reason: 'reported', error: error ?? 'It failed', runtimeMs };

const notTheirs = (callId: string, status: string) =>
  reject('conflict', 'CONFLICT', `The call ${callId} is not the agent's to report: it is ${status}.`, { callId, status });
