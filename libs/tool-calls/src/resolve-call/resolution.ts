import { Injectable } from '@nestjs/common';
import { approval as approvalAggregate, type DecideApproval, type DecidedApproval } from '@app/approvals/contract';
import { Executor } from '@app/event-store';
import { toolOf } from '@app/governance/contract';
import { matchesPattern } from '@app/json-schema';
import { missing, reject, type Context, type Outcome } from '@app/kernel';
import { isLive } from '@app/runs/contract';
import { ExactArguments } from '../contract';
import { prepareAction } from '../door/action';
import { Dispatcher, type ToRun } from '../door/dispatcher';
import { decideToolCall } from '../door/door.policy';
import { RunDecisions } from '../door/run-decisions';
import { doorStreams } from '../door/run-streams';
import type { ToolCallAnswer } from '../tool-call-answer.view';
import type { ResolveCall, ResolveCallBody } from './resolve-call.command';
import { resolveCall } from './resolve-call.decide';

/** Takes down what a person found out about a call whose worker was lost, and runs it when it did not happen. */
@Injectable()
export class Resolution {
  constructor(
    private readonly executor: Executor,
    private readonly decisions: RunDecisions,
    private readonly dispatch: Dispatcher,
    private readonly exact: ExactArguments,
  ) {}

  /** The general route of approvals: to approve means that it did not happen and is to run, to reject that it failed. */
  async decide({ approvalId, body: { decision, reason }, context, reviewer }: DecideApproval, of: { readonly runId: string; readonly callId: string }): Promise<Outcome<DecidedApproval>> {
    const answer = { answer: decision === 'approved' ? 'not_happened' : 'failed', ...(reason !== undefined && { reason }) } as const;
    const resolved = await this.resolve({ ...of, body: answer, context, reviewer });
    if (!resolved.ok) return resolved;
    const { state } = await this.executor.current(approvalAggregate, approvalId);
    return state.status === 'none' ? missing() : { ok: true, data: { approvalId, status: state.status, call: resolved.data }, position: resolved.position };
  }

  async resolve({ runId, callId, body, context, reviewer }: Pick<ResolveCall, 'runId' | 'callId' | 'context' | 'reviewer'> & { readonly body: ResolveCallBody }): Promise<Outcome<ToolCallAnswer>> {
    const run = await this.decisions.current(runId, context.siteId);
    const call = run?.calls.open[callId];
    if (!run) return missing();
    if (call?.status !== 'indeterminate') return settledMeanwhile(callId);
    const { siteId } = context;
    const { question: { approvalId }, asked: { sealed, arguments: shown } } = call;
    const recalled = sealed === undefined ? undefined : await this.exact.recall({ siteId, runId, callId }, sealed);
    if (sealed !== undefined && !recalled && body.answer === 'not_happened') return reject('gone', 'GONE', 'The exact arguments of this call can no longer be read, so it cannot run again.');
    const input = recalled?.given ?? shown;
    const lookedUp = await this.dispatch.lookUp(run, { callId, tool: call.tool, arguments: input }, context);
    const inRun: Context = { ...context, runId, goalId: run.goalId };
    const streams = doorStreams({ runId, goalId: run.goalId, siteId, approvalId, principalId: run.envelope.principalId });
    let toRun: ToRun | undefined;
    const executed = await this.decisions.decide(streams, inRun, (state, { site, governanceVersion, origin, capabilities, owner, approval }) => {
      const open = state.calls.open[callId];
      if (!isLive(state) || open?.status !== 'indeterminate') return settledMeanwhile(callId);
      const tool = toolOf(site, call.tool);
      const { action, problems, ...rest } = prepareAction({ siteId, runId, callId, tool: call.tool, arguments: input, pepper: recalled?.pepper }, tool);
      const inputs = { ...this.dispatch.inputs(tool, problems, capabilities, lookedUp, origin, true), repeated: true };
      const verdict = decideToolCall({ ...inputs, run: state, site, tool, arguments: action.arguments, now: context.now, matches: matchesPattern });
      toRun = { tool, ...rest };
      const asked = { action, inputs, governanceVersion, handledBy: this.dispatch.handledBy(tool), sealed };
      const requesters = site.settings.separationOfDuties ? [owner ?? state.envelope.principalId] : [];
      return resolveCall(approval, state, open, body, { asked, verdict }, { reviewer, requesters, now: context.now });
    });
    return executed.ok ? this.dispatch.finish(streams, executed, callId, toRun, inRun, { kind: 'agent', id: run.envelope.principalId }) : executed;
  }
}

const settledMeanwhile = (callId: string) => reject('conflict', 'ALREADY_DECIDED', `Nothing about the call ${callId} is in doubt.`, { callId });
