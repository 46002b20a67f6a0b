import { Injectable, Optional } from '@nestjs/common';
import { agentDecisionRefusal } from '@app/agent-review/contract';
import { approval as approvalAggregate, settledAlready, type DecideApproval, type DecidedApproval } from '@app/approvals/contract';
import { Executor, idFor, newId } from '@app/event-store';
import { goal as goalAggregate } from '@app/goals/contract';
import { governance, toolOf, type EffectiveTool } from '@app/governance/contract';
import { matchesPattern } from '@app/json-schema';
import { Liveness } from '@app/liveness';
import { accept, missing, reject, type Actor, type Context, type Outcome } from '@app/kernel';
import { callIn, isFinished, isLive, openCallsOf, type OpenedRun, type Run, type RunEvent } from '@app/runs/contract';
import { maskSecrets, scrub } from '@app/vault/contract';
import { Deferrals, ExactArguments, ToolHandlers } from '../contract';
import type { CallTarget } from '../request-tool-call/call-target.view';
import { requestToolCall, runIsOver, type CallEvents, type Prepared } from '../request-tool-call/request-tool-call.decide';
import type { RequestToolCall } from '../request-tool-call/request-tool-call.command';
import { resumeApprovedCall } from '../resume-approved-call/resume-approved-call.decide';
import { settleToolCall } from '../settle-tool-call/settle-tool-call.decide';
import { answerOf, BY_CLIENT, type ToolCallAnswer } from '../tool-call-answer.view';
import { prepareAction } from './action';
import { CallRecords } from './call-records';
import { decideToolCall, type Deferral, type DoorInputs } from './door.policy';
import { Handling } from './handling';
import { RunDecisions } from './run-decisions';
import { doorStreams } from './run-streams';

type Streams = ReturnType<typeof doorStreams>;
type Decided = Awaited<ReturnType<RunDecisions['decide']>>;
/** What was looked up for a call before its decision. */
type LookedUp = { readonly target: CallTarget | null; readonly deferral: Deferral | null };
/** The tool as it was decided on, and what it is to run with. */
type Dispatch = { readonly tool: EffectiveTool | undefined } & Pick<Prepared, 'exact' | 'secrets'>;

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
    private readonly records: CallRecords,
    private readonly exact: ExactArguments,
    @Optional() private readonly deferrals?: Deferrals,
    @Optional() private readonly liveness?: Liveness,
  ) {}

  /** A new call on a run, or the recorded answer of an old one. */
  async request({ runId, body, principal, context }: RequestToolCall): Promise<Outcome<ToolCallAnswer>> {
    const run = await this.decisions.opened(runId, context.siteId);
    if (!run || (run.envelope.principalId !== principal.id && !principal.roles.includes('admin'))) return missing();
    const callId = body.callId ?? idFor('call', context);
    const approvalId = newId('appr');
    const inRun = { ...context, runId, goalId: run.goalId };
    let answeredBy = callId;
    let dispatch: Dispatch | undefined;
    const ref = { siteId: context.siteId, runId, callId };
    const earlier = callIn(run.calls, callId);
    const kept = await this.exact.keep(ref, body.arguments, !isFinished(run) && (earlier === undefined || earlier.status === 'deferred'));
    const { target, deferral } = await this.lookUp(run, { callId, tool: body.tool, arguments: body.arguments }, context);
    const stagingId = target?.patch ? newId('stg') : undefined;
    const streams = doorStreams({ runId, goalId: run.goalId, siteId: context.siteId, approvalId, principalId: run.envelope.principalId, stagingId });
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
      dispatch = { tool, ...run };
      const inputs = this.inputs(tool, problems, capabilities, { target, deferral }, origin, false);
      const verdict = decideToolCall({ ...inputs, run: state, site, tool, arguments: action.arguments, now: context.now, matches: matchesPattern });
      const expiryMs = site.settings.approvalExpiryMsByKind.tool_call ?? site.settings.approvalExpiryMs;
      const asked = { action, inputs, governanceVersion, handledBy: this.handledBy(tool), sealed: kept?.sealed };
      return requestToolCall(state, asked, verdict, approvalId, expiryMs, context, target && stagingId !== undefined ? { stagingId, target, intentId } : undefined);
    });
    if (kept && !isRecorded(kept.sealed, executed)) await this.exact.forget(ref, kept);
    if (!executed.ok) return executed;
    return this.finish(streams, executed, answeredBy, dispatch, inRun);
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
    const ref = { siteId: context.siteId, runId, callId };
    const { sealed } = asked.request;
    const recalled = body.arguments === undefined && sealed !== undefined && !isFinished(run) ? await this.exact.recall(ref, sealed) : undefined;
    if (body.arguments === undefined && sealed !== undefined && !recalled && asked.status === 'pending' && body.decision === 'approved') return unreadable();
    const edited = body.arguments && (await this.exact.keep(ref, body.arguments, !isFinished(run)));
    const input = body.arguments ?? recalled?.given ?? asked.request.arguments;
    const lookedUp = await this.lookUp(run, { callId, tool: toolName, arguments: input }, context);
    let dispatch: Dispatch | undefined;
    const executed = await this.decisions.decide(streams, inRun, (state, { site, governanceVersion, origin, capabilities, approval, reviewer: reviewing }) => {
      if (approval.status === 'none') return missing();
      const refused = agentDecisionRefusal({ site, approval, reviewing, reviewer, now: context.now });
      if (refused) return refused;
      if (!isLive(state)) return settledAlready(approval, context.now) ?? reject('conflict', 'ALREADY_DECIDED', 'The run has ended; nothing is left to decide.', { status: 'superseded' });
      const tool = toolOf(site, toolName);
      const { pepper, sealed: keptAs } = edited ?? recalled ?? {};
      const { action, problems, ...run } = prepareAction({ ...ref, tool: toolName, arguments: input, pepper }, tool);
      dispatch = { tool, ...run };
      const inputs = this.inputs(tool, problems, capabilities, lookedUp, origin, true);
      const verdict = decideToolCall({ ...inputs, run: state, site, tool, arguments: action.arguments, now: context.now, matches: matchesPattern });
      const requesters = site.settings.separationOfDuties ? [asked.request.requestedBy.id, state.envelope.principalId] : [];
      const question = { action, inputs, governanceVersion, handledBy: this.handledBy(tool), sealed: keptAs };
      return resumeApprovedCall(approval, state, maskSecrets(body).masked, question, verdict, { reviewer, requesters, now: context.now });
    }, reviewer.review?.runId);
    if (edited && !isRecorded(edited.sealed, executed)) await this.exact.forget(ref, edited);
    if (!executed.ok) return executed;
    const call = await this.finish(streams, executed, callId, dispatch, inRun, actorOf(asked.request.requestedBy));
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
    dispatch: Dispatch | undefined,
    context: Context,
    actor: Actor = context.actor,
  ): Promise<Outcome<ToolCallAnswer>> {
    const runId = streams.run.id;
    const call = await this.records.of(states.run, callId, events.run);
    if (call.status !== 'authorised' || call.asked.handledBy === BY_CLIENT) return { ok: true, data: answerOf(call), position };
    const key = `${runId}/${callId}`;
    const isNew = events.run?.some(({ type, data }) => type === 'ToolCallAuthorised' && data.callId === callId);
    const settled = isNew && dispatch?.tool !== undefined
      ? await this.handling.start(key, dispatch.tool, { ...call.asked, arguments: dispatch.exact }, position, { ...context, actor }, (outcome) => {
          // What a tool was given it may say again, and not in a form that gives a secret away.
          const told = scrub(outcome, dispatch.secrets);
          return this.decisions.decide(streams, { ...context, commandId: `${context.commandId}:outcome` }, (state) => settleToolCall(state, callId, told));
        })
      : await this.handling.join<Decided>(key);
    // Another process is running it, or was when it died: the record says no more than that.
    if (!settled) return { ok: true, data: answerOf(call), position };
    if (!settled.ok) return settled;
    const told: readonly RunEvent[] = [{ type: 'ToolCallAuthorised', data: call.asked }, ...(settled.events.run ?? [])];
    return { ok: true, data: answerOf(await this.records.of(settled.states.run, callId, told)), position: settled.position };
  }

  /** What the decision needs and only the world outside the log knows. A tool that nobody registered has no target and waits for nothing. */
  private async lookUp(
    run: OpenedRun,
    call: { readonly callId: string; readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> },
    { siteId, now }: Context,
  ): Promise<LookedUp> {
    const tool = toolOf((await this.executor.states.load(governance, siteId)).state, call.tool);
    if (!tool) return { target: null, deferral: null };
    const target = await this.handlers.target(tool, call.arguments, siteId);
    if (!this.deferrals) return { target, deferral: null };
    const { state: goal } = await this.executor.states.load(goalAggregate, run.goalId);
    const [origin, intentId] = goal.status === 'none' ? ['user', null] : [goal.origin, goal.intentId];
    const { maxWritesPerMinute } = run.envelope.budget;
    return { target, deferral: await this.deferrals.of({ siteId, runId: run.runId, callId: call.callId, tool, origin, intentId, maxWritesPerMinute, now }) };
  }

  /** A registered tool without a handler in this server cannot run, so for the door it is not there. */
  private inputs = (
    tool: EffectiveTool | undefined,
    argumentProblems: DoorInputs['argumentProblems'],
    capabilities: readonly string[],
    { target, deferral }: LookedUp,
    origin: string,
    approved: boolean,
  ): DoorInputs => ({
    capabilities, argumentProblems, pinnedFields: target?.pinnedFields ?? [], deferral, origin, approved, handled: tool !== undefined && this.handlers.handles(tool),
  });

  private handledBy = (tool: EffectiveTool | undefined) => (tool?.kind === 'client' ? BY_CLIENT : this.liveness?.id);
}

const actorOf = ({ kind, id, role }: { kind: Actor['kind']; id: string; role?: string | undefined }): Actor => ({ kind, id, ...(role !== undefined && { role }) });

const decidedElsewhere = (kind: string) =>
  reject('forbidden', 'FORBIDDEN', `An approval of kind ${kind} is not decided here; its own route decides it.`, { kind });

const unreadable = () =>
  reject('gone', 'GONE', 'The exact arguments of this action can no longer be read, so it cannot run as it was asked for. Reject it, or approve it with arguments of your own.');

/** A call that was answered from the record, turned down or put off keeps nothing. */
const isRecorded = (sealed: string | undefined, executed: { readonly ok: boolean; readonly events?: { readonly run?: readonly RunEvent[] } }) =>
  executed.ok && (executed.events?.run ?? []).some(({ data }) => 'sealed' in data && data.sealed === sealed);

const NOTHING: CallEvents = { run: [], goal: [], approval: [] };

/** Without a call id a repeat of an identical action that still waits is the same call: one card, not two. */
const pendingTwin = (run: OpenedRun, actionDigest: string) => openCallsOf(run).find((call) => call.status === 'parked' && call.actionDigest === actionDigest);

const differentAction = (callId: string) =>
  reject('invalid', 'IDEMPOTENCY_MISMATCH', `Call ${callId} was another action; use a new callId for a new action.`, { callId });
