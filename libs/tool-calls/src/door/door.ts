import { Injectable } from '@nestjs/common';
import { approval as approvalAggregate, type Approval, type DecideApproval, type DecidedApproval } from '@app/approvals/contract';
import { Executor, idFor, newId } from '@app/event-store';
import { toolOf, type Site } from '@app/governance/contract';
import { matchesPattern } from '@app/json-schema';
import { accept, missing, reject, type Context, type Decision, type Outcome } from '@app/kernel';
import { isFinished, isLive, openApprovalsOf, run as runAggregate, supersededBy, type Call, type FinishedRun, type LiveRun, type Run, type RunEvent } from '@app/runs/contract';
import { CurrentCapabilities, ToolHandlers } from '../contract';
import { requestToolCall, runIsOver, type CallEvents } from '../request-tool-call/request-tool-call.decide';
import type { RequestToolCall } from '../request-tool-call/request-tool-call.command';
import { resumeApprovedCall } from '../resume-approved-call/resume-approved-call.decide';
import { settleToolCall } from '../settle-tool-call/settle-tool-call.decide';
import { answerOf, type ToolCallAnswer } from '../tool-call-answer.view';
import { prepareAction } from './action';
import { decideToolCall, type DoorInputs } from './door.policy';
import { Handling } from './handling';
import { doorStreams } from './run-streams';

type Opened = LiveRun | FinishedRun;
type Streams = ReturnType<typeof doorStreams>;
/** What a decision sees beside the run. */
type Seen = { readonly site: Site; readonly governanceVersion: number; readonly origin: string; readonly approval: Approval };

/**
 * The one way to a tool handler. Every entry (a request on a run, a task of a goal, an approval that resumes a call) ends here: the
 * decision and its events are appended under the guard of the site's governance, and only then does a handler run.
 */
@Injectable()
export class Door {
  constructor(
    private readonly executor: Executor,
    private readonly handlers: ToolHandlers,
    private readonly capabilities: CurrentCapabilities,
    private readonly handling: Handling,
  ) {}

  /** A new call on a run, or the recorded answer of an old one. */
  async request({ runId, body, principal, context }: RequestToolCall): Promise<Outcome<ToolCallAnswer>> {
    const run = await this.openedRun(runId, context.siteId);
    if (!run || (run.envelope.principalId !== principal.id && !principal.roles.includes('admin'))) return missing();
    const callId = body.callId ?? idFor('call', context);
    const approvalId = newId('appr');
    const capabilities = principal.id === run.envelope.principalId ? principal.capabilities : await this.capabilities.of(run.envelope.principalId);
    const inRun = { ...context, runId, goalId: run.goalId };
    let answeredBy = callId;
    const streams = doorStreams({ runId, goalId: run.goalId, siteId: context.siteId, approvalId });
    const executed = await this.inRun(streams, run, inRun, (state, { site, governanceVersion, origin }) => {
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
      const inputs = this.inputs(body.tool, problems, capabilities, origin, false);
      const verdict = decideToolCall({ ...inputs, run: state, site, tool, arguments: action.arguments, now: context.now, matches: matchesPattern });
      const expiryMs = site.settings.approvalExpiryMsByKind.tool_call ?? site.settings.approvalExpiryMs;
      return requestToolCall(state, { action, inputs, governanceVersion }, verdict, approvalId, expiryMs, context);
    });
    if (!executed.ok) return executed;
    return this.finish(streams, executed, answeredBy, inRun);
  }

  /** A person's decision on a parked call, and what follows from it. */
  async decide({ approvalId, body, context }: DecideApproval): Promise<Outcome<DecidedApproval>> {
    const asked = (await this.executor.current(approvalAggregate, approvalId)).state;
    const run = asked.status === 'none' ? undefined : await this.openedRun(asked.request.runId, context.siteId);
    if (asked.status === 'none' || !run) return missing();
    const { runId, goalId, callId, tool: toolName } = asked.request;
    const capabilities = await this.capabilities.of(run.envelope.principalId);
    const inRun = { ...context, runId, goalId };
    const streams = doorStreams({ runId, goalId, siteId: context.siteId, approvalId });
    const executed = await this.inRun(streams, run, inRun, (state, { site, governanceVersion, origin, approval }) => {
      if (!isLive(state)) return reject('conflict', 'ALREADY_DECIDED', 'The run has ended; nothing is left to decide.', { status: 'superseded' });
      const tool = toolOf(site, toolName);
      const input = body.arguments ?? asked.request.arguments;
      const { action, problems } = prepareAction({ siteId: context.siteId, runId, callId, tool: toolName, arguments: input }, tool);
      const inputs = this.inputs(toolName, problems, capabilities, origin, true);
      const verdict = decideToolCall({ ...inputs, run: state, site, tool, arguments: action.arguments, now: context.now, matches: matchesPattern });
      return resumeApprovedCall(approval, state, body, { action, inputs, governanceVersion }, verdict, context);
    });
    if (!executed.ok) return executed;
    const call = await this.finish(streams, executed, callId, inRun);
    if (!call.ok) return call;
    const { status } = (await this.executor.current(approvalAggregate, approvalId)).state;
    return { ok: true, data: { approvalId, status, call: call.data }, position: call.position };
  }

  /** Runs the handler of a call that was just authorised, records what became of it, and gives the call's answer. */
  private async finish(
    streams: Streams,
    { states, position, events }: { readonly states: { readonly run: Run }; readonly position: bigint; readonly events: { readonly run?: readonly RunEvent[] } },
    callId: string,
    context: Context,
  ): Promise<Outcome<ToolCallAnswer>> {
    const call = callOf(states.run, callId);
    if (call.status !== 'authorised') return { ok: true, data: answerOf(call), position };
    const key = `${streams.run.id}/${callId}`;
    const settled = events.run?.some(({ type, data }) => type === 'ToolCallAuthorised' && data.callId === callId)
      ? await this.handling.start(key, call.asked, position, context, (outcome) =>
          this.inRun(streams, states.run as Opened, { ...context, commandId: `${context.commandId}:outcome` }, (state) => settleToolCall(state, callId, outcome)),
        )
      : await this.handling.join<Awaited<ReturnType<Door['inRun']>>>(key);
    // Another process is running it, or was when it died: the record says no more than that.
    if (!settled) return { ok: true, data: answerOf(call), position };
    return settled.ok ? { ok: true, data: answerOf(callOf(settled.states.run, callId)), position: settled.position } : settled;
  }

  /**
   * One decision over run, goal and approval. When it ends the run, the approvals that still hold calls of it are superseded in the same
   * append; a run that gained another one meanwhile is decided again with it.
   */
  private async inRun(
    streams: Streams,
    known: Opened,
    context: Context,
    decide: (run: Opened, seen: Seen) => Decision<CallEvents>,
  ) {
    for (let open = openApprovalsOf(known); ; ) {
      const others = open.filter((id) => id !== streams.approval.id);
      const refs = { ...streams, ...Object.fromEntries(others.map((id) => [`approval ${id}`, { aggregate: approvalAggregate, id }])) } as Streams;
      let grown: readonly string[] | undefined;
      const executed = await this.executor.execute(refs, context, (states, versions) => {
        const run = states.run;
        const { governance: site, goal, approval } = states;
        if ((!isLive(run) && !isFinished(run)) || site.status === 'none') return missing();
        const origin = goal.status === 'none' ? 'user' : goal.origin;
        const decision = decide(run, { site, governanceVersion: versions.governance, origin, approval });
        if (!decision.ok) return decision;
        const ended = decision.events.run.reduce(runAggregate.evolve, run as Run);
        if (!isLive(run) || !isFinished(ended)) return decision;
        const now = openApprovalsOf(run).filter((id) => id !== streams.approval.id);
        if (now.some((id) => !others.includes(id))) {
          grown = now;
          return reject('conflict', 'CONFLICT', 'Another call was parked meanwhile.');
        }
        return accept({ ...decision.events, ...Object.fromEntries(now.map((id) => [`approval ${id}`, [supersededBy(ended.status)]])) });
      });
      if (executed.ok || !grown) return executed;
      open = grown;
    }
  }

  private async openedRun(runId: string, siteId: string): Promise<Opened | undefined> {
    const folded = await this.executor.states.load(runAggregate, runId);
    const state = folded.version === 0 ? (await this.executor.current(runAggregate, runId)).state : folded.state;
    return (isLive(state) || isFinished(state)) && state.envelope.context.siteId === siteId ? state : undefined;
  }

  /** A registered tool without a handler in this server cannot run, so for the door it is not there. */
  private inputs = (tool: string, argumentProblems: DoorInputs['argumentProblems'], capabilities: readonly string[], origin: string, approved: boolean): DoorInputs => ({
    capabilities, argumentProblems, pinnedFields: [], deferral: null, origin, approved, handled: this.handlers.handles(tool),
  });
}

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
