import { Injectable } from '@nestjs/common';
import { agentDecisionRefusal } from '@app/agent-review/contract';
import { approval as approvalAggregate, settledAlready, type DecideApproval, type DecidedApproval } from '@app/approvals/contract';
import { Executor, idFor, newId } from '@app/event-store';
import { toolOf } from '@app/governance/contract';
import { matchesPattern } from '@app/json-schema';
import { accept, missing, reject, type Actor, type Context, type Outcome } from '@app/kernel';
import { isFinished, isLive, type Call, type Run, type RunEvent } from '@app/runs/contract';
import { ToolHandlers } from '../contract';
import type { CallTarget } from '../request-tool-call/call-target.view';
import { requestToolCall, runIsOver, type CallEvents } from '../request-tool-call/request-tool-call.decide';
import type { RequestToolCall } from '../request-tool-call/request-tool-call.command';
import { resumeApprovedCall } from '../resume-approved-call/resume-approved-call.decide';
import { settleToolCall } from '../settle-tool-call/settle-tool-call.decide';
import { answerOf, type ToolCallAnswer } from '../tool-call-answer.view';
import { prepareAction } from './action';
import { decideToolCall, type DoorInputs } from './door.policy';
import { Handling } from './handling';
import { RunDecisions, type Opened } from './run-decisions';
import { doorStreams } from './run-streams';

type Streams = ReturnType<typeof doorStreams>;

/**
 * The one way to a tool handler. Every entry (a request on a run, a task of a goal, an approval that resumes a call) ends here: the
 * decision and its events are appended under the guard of the site's governance and of the run's principal, and only then does a handler run.
 */
@Injectable()
export class Door {
  constructor(
    private readonly executor: Executor,
    private readonly handlers: ToolHandlers,
    private readonly handling: Handling,
    private readonly decisions: RunDecisions,
  ) {}

  /** A new call on a run, or the recorded answer of an old one. */
  async request({ runId, body, principal, context }: RequestToolCall): Promise<Outcome<ToolCallAnswer>> {
    const run = await this.decisions.opened(runId, context.siteId);
    if (!run || (run.envelope.principalId !== principal.id && !principal.roles.includes('admin'))) return missing();
    const callId = body.callId ?? idFor('call', context);
    const approvalId = newId('appr');
    const inRun = { ...context, runId, goalId: run.goalId };
    let answeredBy = callId;
    const target = await this.handlers.target(body.tool, body.arguments, context.siteId);
    const stagingId = target?.patch ? newId('stg') : undefined;
    const streams = doorStreams({ runId, goalId: run.goalId, siteId: context.siteId, approvalId, principalId: run.envelope.principalId, stagingId });
    const executed = await this.decisions.decide(streams, inRun, (state, { site, governanceVersion, origin, intentId, capabilities }) => {
      const tool = toolOf(site, body.tool);
      const { action, problems } = prepareAction({ siteId: context.siteId, runId, callId, tool: body.tool, arguments: body.arguments }, tool);
      const before = state.calls[callId];
      // A deferral is no answer for ever: the same call is decided again.
      const known = before?.status === 'deferred' ? undefined : before ?? (body.callId === undefined ? pendingTwin(state, action.actionDigest) : undefined);
      if (known) {
        answeredBy = known.callId;
        return sameAction(known, action.tool, action.argumentsHash) ? accept(NOTHING) : differentAction(callId);
      }
      if (!isLive(state)) return runIsOver(state);
      const inputs = this.inputs(body.tool, problems, capabilities, target, origin, false);
      const verdict = decideToolCall({ ...inputs, run: state, site, tool, arguments: action.arguments, now: context.now, matches: matchesPattern });
      const expiryMs = site.settings.approvalExpiryMsByKind.tool_call ?? site.settings.approvalExpiryMs;
      return requestToolCall(state, { action, inputs, governanceVersion }, verdict, approvalId, expiryMs, context, target && stagingId !== undefined ? { stagingId, target, intentId } : undefined);
    });
    if (!executed.ok) return executed;
    return this.finish(streams, executed, answeredBy, inRun);
  }

  /** A person's decision on a parked call, and what follows from it. */
  async decide({ approvalId, body, context, reviewer }: DecideApproval): Promise<Outcome<DecidedApproval>> {
    const asked = (await this.executor.current(approvalAggregate, approvalId)).state;
    if (asked.status === 'none' || asked.request.siteId !== context.siteId) return missing();
    const { kind, runId, goalId, callId, tool: toolName } = asked.request;
    if (kind !== 'tool_call' || runId === null || goalId === null || callId === null || toolName === null) return decidedElsewhere(kind);
    const run = await this.decisions.opened(runId, context.siteId);
    if (!run) return missing();
    const inRun = { ...context, runId, goalId };
    const streams = doorStreams({ runId, goalId, siteId: context.siteId, approvalId, principalId: run.envelope.principalId });
    const target = await this.handlers.target(toolName, body.arguments ?? asked.request.arguments, context.siteId);
    const executed = await this.decisions.decide(streams, inRun, (state, { site, governanceVersion, origin, capabilities, approval, reviewer: reviewing }) => {
      if (approval.status === 'none') return missing();
      const refused = agentDecisionRefusal({ site, approval, reviewing, reviewer, now: context.now });
      if (refused) return refused;
      if (!isLive(state)) return settledAlready(approval, context.now) ?? reject('conflict', 'ALREADY_DECIDED', 'The run has ended; nothing is left to decide.', { status: 'superseded' });
      const tool = toolOf(site, toolName);
      const input = body.arguments ?? asked.request.arguments;
      const { action, problems } = prepareAction({ siteId: context.siteId, runId, callId, tool: toolName, arguments: input }, tool);
      const inputs = this.inputs(toolName, problems, capabilities, target, origin, true);
      const verdict = decideToolCall({ ...inputs, run: state, site, tool, arguments: action.arguments, now: context.now, matches: matchesPattern });
      const requesters = site.settings.separationOfDuties ? [asked.request.requestedBy.id, state.envelope.principalId] : [];
      return resumeApprovedCall(approval, state, body, { action, inputs, governanceVersion }, verdict, { reviewer, requesters, now: context.now });
    }, reviewer.review?.runId);
    if (!executed.ok) return executed;
    const call = await this.finish(streams, executed, callId, inRun, actorOf(asked.request.requestedBy));
    if (!call.ok) return call;
    const { state } = await this.executor.current(approvalAggregate, approvalId);
    return state.status === 'none' ? missing() : { ok: true, data: { approvalId, status: state.status, call: call.data }, position: call.position };
  }

  /**
   * Runs the handler of a call that was just authorised, records what became of it, and gives the call's answer. What the handler writes is
   * the work of `actor`: of whoever asked for the call, not of the person who approved it.
   */
  private async finish(
    streams: Streams,
    { states, position, events }: { readonly states: { readonly run: Run }; readonly position: bigint; readonly events: { readonly run?: readonly RunEvent[] } },
    callId: string,
    context: Context,
    actor: Actor = context.actor,
  ): Promise<Outcome<ToolCallAnswer>> {
    const call = callOf(states.run, callId);
    if (call.status !== 'authorised') return { ok: true, data: answerOf(call), position };
    const key = `${streams.run.id}/${callId}`;
    const settled = events.run?.some(({ type, data }) => type === 'ToolCallAuthorised' && data.callId === callId)
      ? await this.handling.start(key, call.asked, position, { ...context, actor }, (outcome) =>
          this.decisions.decide(streams, { ...context, commandId: `${context.commandId}:outcome` }, (state) => settleToolCall(state, callId, outcome)),
        )
      : await this.handling.join<Awaited<ReturnType<RunDecisions['decide']>>>(key);
    // Another process is running it, or was when it died: the record says no more than that.
    if (!settled) return { ok: true, data: answerOf(call), position };
    return settled.ok ? { ok: true, data: answerOf(callOf(settled.states.run, callId)), position: settled.position } : settled;
  }

  /** A registered tool without a handler in this server cannot run, so for the door it is not there. */
  private inputs = (
    tool: string,
    argumentProblems: DoorInputs['argumentProblems'],
    capabilities: readonly string[],
    target: CallTarget | null,
    origin: string,
    approved: boolean,
  ): DoorInputs => ({
    capabilities, argumentProblems, pinnedFields: target?.pinnedFields ?? [], deferral: null, origin, approved, handled: this.handlers.handles(tool),
  });
}

const actorOf = ({ kind, id, role }: { kind: Actor['kind']; id: string; role?: string | undefined }): Actor => ({ kind, id, ...(role !== undefined && { role }) });

const decidedElsewhere = (kind: string) =>
  reject('forbidden', 'FORBIDDEN', `An approval of kind ${kind} is not decided here; its own route decides it.`, { kind });

const NOTHING: CallEvents = { run: [], goal: [], approval: [] };

const callOf = (run: Run, callId: string): Call => {
  const call = isLive(run) || isFinished(run) ? run.calls[callId] : undefined;
  if (!call) throw new Error(`Call ${callId} is not on record`);
  return call;
};

/** Without a call id a repeat of an identical action that still waits is the same call: one card, not two. */
const pendingTwin = (run: Opened, actionDigest: string): Call | undefined =>
  Object.values(run.calls).find((call) => call.status === 'parked' && call.actionDigest === actionDigest);

const sameAction = (call: Call, tool: string, argumentsHash: string) => call.tool === tool && call.argumentsHash === argumentsHash;

const differentAction = (callId: string) =>
  reject('invalid', 'IDEMPOTENCY_MISMATCH', `Call ${callId} was another action; use a new callId for a new action.`, { callId });
