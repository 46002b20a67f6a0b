import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { actedView, answerApproval, AnswerApproval, approval, type ActedApproval } from '@app/approvals/contract';
import { Executor } from '@app/event-store';
import { accept, missing, type Outcome } from '@app/kernel';
import { run } from '@app/runs/contract';
import { maskSecrets } from '@app/vault/contract';

/** The words are written to the approval and to the run in one append: whoever waits on the run's stream reads them at once. */
@CommandHandler(AnswerApproval)
export class AnswerApprovalHandler implements ICommandHandler<AnswerApproval> {
  constructor(private readonly executor: Executor) {}

  async execute({ approvalId, text: said, context, reviewer }: AnswerApproval): Promise<Outcome<ActedApproval>> {
    const text = maskSecrets(said).masked;
    const { state } = await this.executor.current(approval, approvalId);
    if (state.status === 'none' || state.request.siteId !== context.siteId) return missing();
    const { runId, goalId, callId } = state.request;
    const refs = { approval: { aggregate: approval, id: approvalId }, run: { aggregate: run, id: runId ?? '' } };
    const inRun = { ...context, ...(runId !== null && { runId }), ...(goalId !== null && { goalId }) };
    const done = await this.executor.execute(refs, inRun, (states) => {
      const decided = answerApproval(states.approval, text, reviewer, context.now);
      if (!decided.ok || runId === null || callId === null) return decided.ok ? accept({ approval: decided.events }) : decided;
      return accept({ approval: decided.events, run: [{ type: 'ToolCallAnswered', data: { callId, approvalId, by: reviewer.actor.id, text } } as const] });
    });
    if (!done.ok) return done;
    const { approval: after } = done.states;
    return after.status === 'none' ? missing() : { ok: true, data: actedView(approvalId, after), position: done.position };
  }
}
