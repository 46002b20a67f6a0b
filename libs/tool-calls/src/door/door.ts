import { Injectable } from '@nestjs/common';
import { agentDecisionRefusal } from '@app/agent-review/contract';
import { approval as approvalAggregate, settledAlready, type DecideApproval, type DecidedApproval } from '@app/approvals/contract';
import { Executor, idFor, newId, type Executed } from '@app/event-store';
import { toolOf } from '@app/governance/contract';
import { matchesPattern } from '@app/json-schema';
import { accept, missing, personId, reject, type Actor, type Outcome } from '@app/kernel';
import { callIn, isFinished, isLive, openCallsOf, type OpenedRun } from '@app/runs/contract';
import { maskSecrets } from '@app/vault/contract';
import { ExactArguments } from '../contract';
import { InheritedCalls } from '../inherited-call/inherited-calls';
import { differentAction, requestToolCall, runIsOver, type CallEvents } from '../request-tool-call/request-tool-call.decide';
import type { RequestToolCall } from '../request-tool-call/request-tool-call.command';
import { resumeApprovedCall } from '../resume-approved-call/resume-approved-call.decide';
import type { ToolCallAnswer } from '../tool-call-answer.view';
import { prepareAction } from './action';
import { Dispatcher, type ToRun } from './dispatcher';
import { decideToolCall } from './door.policy';
import { RunDecisions } from './run-decisions';
import { doorStreams, type DoorStreams } from './run-streams';

/**
 * The one way to a tool handler. Every entry (a request on a run, a task of a goal, an approval that resumes a call) ends here: the
 * decision and its events are appended under the guard of the site's governance and of the run's principal, and only then does a handler run.
 */
@Injectable()
export class Door {
  constructor(
    private readonly executor: Executor,
    private readonly decisions: RunDecisions,
    private readonly dispatch: Dispatcher,
    private readonly exact: ExactArguments,
    private readonly inherited: InheritedCalls,
  ) {}

  /** A new call on a run, or the recorded answer of an old one. */
  async request({ runId, body, principal, context }: RequestToolCall): Promise<Outcome<ToolCallAnswer>> {
    const run = await this.decisions.opened(runId, context.siteId);
    if (!run || (run.envelope.principalId !== principal.id && !principal.roles.includes('admin'))) return missing();
    const callId = body.callId ?? idFor('call', context);
    const approvalId = newId('appr');
    const inRun = { ...context, runId, goalId: run.goalId };
    let answeredBy = callId;
    let toRun: ToRun | undefined;
    const ref = { siteId: context.siteId, runId, callId };
    const past = await this.inherited.answer(run, ref, body);
    if (past) return past;
    const earlier = callIn(run.calls, callId);
    const kept = await this.exact.keep(ref, body.arguments, !isFinished(run) && (earlier === undefined || earlier.status === 'deferred'));
    const { target, deferral } = await this.dispatch.lookUp(run, { callId, tool: body.tool, arguments: body.arguments }, context);
    const stagingId = target?.patch ? newId('stg') : undefined;
    const streams = doorStreams({ runId, goalId: run.goalId, siteId: context.siteId, approvalId, principalId: run.envelope.principalId, stagingId, newIds: true });
    const executed = await this.decisions.decide(streams, inRun, (state, { site, governanceVersion, origin, intentId, capabilities }) => {
      const tool = toolOf(site, body.tool);
      const { action, problems, ...run } = prepareAction({ ...ref, tool: body.tool, arguments: body.arguments, pepper: kept?.pepper }, tool);
      const before = callIn(state.calls, callId);
      // A deferral is no answer for ever: the same call is decided again.
      const known = before?.status === 'deferred' ? undefined : before ?? (body.callId === undefined ? pendingTwin(state, action.actionDigest) : undefined);
      if (known) {
        answeredBy = known.callId;
        return known.tool === action.tool && known.argumentsHash === action.argumentsHash ? accept(NOTHING) : differentAction(callId);
      }
      if (!isLive(state)) return runIsOver(state);
      toRun = { tool, ...run };
      const inputs = this.dispatch.inputs(tool, problems, capabilities, { target, deferral }, origin, false);
      const verdict = decideToolCall({ ...inputs, run: state, site, tool, arguments: action.arguments, now: context.now, matches: matchesPattern });
      const expiryMs = site.settings.approvalExpiryMsByKind.tool_call ?? site.settings.approvalExpiryMs;
      const asked = { action, inputs, governanceVersion, handledBy: this.dispatch.handledBy(tool), sealed: kept?.sealed };
      return requestToolCall(state, asked, verdict, approvalId, expiryMs, context, target && stagingId !== undefined ? { stagingId, target, intentId } : undefined);
    });
    if (kept && isUnused(kept.sealed, executed)) await this.exact.forget(ref, kept);
    if (!executed.ok) return executed;
    return this.dispatch.finish(streams, executed, answeredBy, toRun, inRun);
  }

  /** A person's decision on a parked call, and what follows from it. */
  async decide({ approvalId, body, context, reviewer }: DecideApproval): Promise<Outcome<DecidedApproval>> {
    const asked = await this.asked(approvalId);
    if (asked.status === 'none' || asked.request.siteId !== context.siteId) return missing();
    const { kind, runId, goalId, callId, tool: toolName } = asked.request;
    if (kind !== 'tool_call' || runId === null || goalId === null || callId === null || toolName === null) return decidedElsewhere(kind);
    const run = await this.decisions.opened(runId, context.siteId);
    if (!run) return missing();
    const inRun = { ...context, runId, goalId };
    const streams = doorStreams({ runId, goalId, siteId: context.siteId, approvalId, principalId: run.envelope.principalId });
    const ref = { siteId: context.siteId, runId, callId };
    const { sealed } = asked.request;
    const recalled = body.arguments === undefined && sealed !== undefined && !isFinished(run) ? await this.exact.recall(ref, sealed) : undefined;
    if (body.arguments === undefined && sealed !== undefined && !recalled && body.decision === 'approved' && (await this.isPending(approvalId))) return unreadable();
    const edited = body.arguments && (await this.exact.keep(ref, body.arguments, !isFinished(run)));
    const input = body.arguments ?? recalled?.given ?? asked.request.arguments;
    const lookedUp = await this.dispatch.lookUp(run, { callId, tool: toolName, arguments: input }, context);
    let toRun: ToRun | undefined;
    const executed = await this.decisions.decide(streams, inRun, (state, { site, governanceVersion, origin, capabilities, owner, approval, reviewer: reviewing }) => {
      if (approval.status === 'none') return missing();
      const refused = agentDecisionRefusal({ site, approval, reviewing, reviewer, now: context.now });
      if (refused) return refused;
      if (!isLive(state)) return settledAlready(approval, context.now) ?? reject('conflict', 'ALREADY_DECIDED', 'The run has ended; nothing is left to decide.', { status: 'superseded' });
      const tool = toolOf(site, toolName);
      const { pepper, sealed: keptAs } = edited ?? recalled ?? {};
      const { action, problems, ...run } = prepareAction({ ...ref, tool: toolName, arguments: input, pepper }, tool);
      toRun = { tool, ...run };
      const inputs = this.dispatch.inputs(tool, problems, capabilities, lookedUp, origin, true);
      const verdict = decideToolCall({ ...inputs, run: state, site, tool, arguments: action.arguments, now: context.now, matches: matchesPattern });
      const requesters = site.settings.separationOfDuties ? [personId(asked.request.requestedBy), owner ?? state.envelope.principalId] : [];
      const question = { action, inputs, governanceVersion, handledBy: this.dispatch.handledBy(tool), sealed: keptAs };
      return resumeApprovedCall(approval, state, maskSecrets(body).masked, question, verdict, { reviewer, requesters, now: context.now });
    }, reviewer.review?.runId);
    if (edited && isUnused(edited.sealed, executed)) await this.exact.forget(ref, edited);
    if (!executed.ok) return executed;
    const call = await this.dispatch.finish(streams, executed, callId, toRun, inRun, actorOf(asked.request.requestedBy));
    if (!call.ok) return call;
    // What this process just wrote is warm, and so is what it was told of a repeat.
    const { state } = await this.executor.states.load(approvalAggregate, approvalId);
    return state.status === 'none' ? missing() : { ok: true, data: { approvalId, status: state.status, call: call.data }, position: call.position };
  }

  /** What was asked never changes, so a warm state will do; the append proves the rest. */
  private async asked(approvalId: string) {
    const { state } = await this.executor.states.load(approvalAggregate, approvalId);
    return state.status === 'none' ? (await this.executor.current(approvalAggregate, approvalId)).state : state;
  }

  private isPending = async (approvalId: string) => (await this.executor.current(approvalAggregate, approvalId)).state.status === 'pending';
}

const actorOf = ({ kind, id, role }: { kind: Actor['kind']; id: string; role?: string | undefined }): Actor => ({ kind, id, ...(role !== undefined && { role }) });

const decidedElsewhere = (kind: string) =>
  reject('forbidden', 'FORBIDDEN', `An approval of kind ${kind} is not decided here; its own route decides it.`, { kind });

const unreadable = () =>
  reject('gone', 'GONE', 'The exact arguments of this action can no longer be read, so it cannot run as it was asked for. Reject it, or approve it with arguments of your own.');

/** A call that was answered from the record, turned down or put off keeps nothing. When the log was out of reach, what it holds is not certain: the end of the run clears up then. */
const isUnused = (sealed: string | undefined, executed: Executed<Pick<DoorStreams, 'run'>>) =>
  executed.ok ? !(executed.events.run ?? []).some(({ data }) => 'sealed' in data && data.sealed === sealed) : executed.rejection.kind !== 'unavailable';

const NOTHING: CallEvents = { run: [], goal: [], approval: [] };

/** Without a call id a repeat of an identical action that still waits is the same call: one card, not two. */
const pendingTwin = (run: OpenedRun, actionDigest: string) => openCallsOf(run).find((call) => call.status === 'parked' && call.actionDigest === actionDigest);
