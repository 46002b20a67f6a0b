import { Injectable } from '@nestjs/common';
import { Executor } from '@app/event-store';
import { governance, toolOf } from '@app/governance/contract';
import { matchesPattern } from '@app/json-schema';
import { Liveness } from '@app/liveness';
import { accept, reject, type Actor, type Context, type Outcome } from '@app/kernel';
import { isLive, type LiveRun, type OpenedRun } from '@app/runs/contract';
import { principal as principalAggregate } from '@app/sites/contract';
import { ExactArguments } from '../contract';
import { prepareAction } from '../door/action';
import { Dispatcher, type ToRun } from '../door/dispatcher';
import { decideToolCall } from '../door/door.policy';
import { RunDecisions } from '../door/run-decisions';
import { doorStreams } from '../door/run-streams';
import { authorisedEvent, denialEvents, requestToolCall, type CallEvents } from '../request-tool-call/request-tool-call.decide';
import { BY_CLIENT } from '../tool-call-answer.view';
import { Doubts, isSame, type Lost } from './doubts';
import { mayRepeat } from './indeterminate.decide';
import { questionId } from './question-id';
import type { RecoverCall } from './recover-call.command';

type Recovered = { readonly became: 'settled' | 'repeated' | 'indeterminate' };

/** What becomes of calls whose process was lost: those that may be made again are, through the door; of the others a person is asked. */
@Injectable()
export class Recovery {
  constructor(
    private readonly executor: Executor,
    private readonly decisions: RunDecisions,
    private readonly dispatch: Dispatcher,
    private readonly exact: ExactArguments,
    private readonly liveness: Liveness,
    private readonly doubts: Doubts,
  ) {}

  async recover({ runId, callId, contextFor }: RecoverCall): Promise<Outcome<Recovered>> {
    const context = contextFor('recover');
    const run = await this.decisions.current(runId, context.siteId);
    const call = run?.calls.open[callId];
    if (!run || call?.status !== 'authorised' || (await this.isHandled(runId, call))) return { ok: true, data: { became: 'settled' }, position: 0n };
    if (!isLive(run)) return this.ask(run, call, context);
    const tool = toolOf((await this.executor.states.load(governance, context.siteId)).state, call.tool);
    const recalled = call.asked.sealed === undefined ? undefined : await this.exact.recall({ siteId: context.siteId, runId, callId }, call.asked.sealed);
    const isReadable = call.asked.sealed === undefined || recalled !== undefined;
    const neverBegan = call.asked.handledBy === this.liveness.id;
    return (neverBegan || mayRepeat(tool)) && isReadable ? this.repeat(run, call, recalled, context) : this.ask(run, call, context);
  }

  /**
   * A client runs its call itself and reports when it likes; a process is asked for its heartbeat. This one knows its own: the answer to an
   * append may be lost with the database, and then the call is authorised and nobody began it.
   */
  private async isHandled(runId: string, { callId, asked: { handledBy } }: Lost): Promise<boolean> {
    if (handledBy === undefined) return false;
    if (handledBy === this.liveness.id) return this.dispatch.isRunning(runId, callId);
    return handledBy === BY_CLIENT || (await this.liveness.alive([handledBy])).has(handledBy);
  }

  private async repeat(run: LiveRun, lost: Lost, recalled: Awaited<ReturnType<ExactArguments['recall']>>, context: Context): Promise<Outcome<Recovered>> {
    const { runId, goalId } = run;
    const { callId, tool: toolName, asked: before } = lost;
    const { siteId } = context;
    const approvalId = before.approvalId ?? questionId(runId, lost);
    const streams = doorStreams({ runId, goalId, siteId, approvalId, principalId: run.envelope.principalId });
    const input = recalled?.given ?? before.arguments;
    const lookedUp = await this.dispatch.lookUp(run, { callId, tool: toolName, arguments: input }, context);
    const inRun = { ...context, runId, goalId };
    let toRun: ToRun | undefined;
    const executed = await this.decisions.decide(streams, inRun, (state, { site, governanceVersion, origin, capabilities }) => {
      const call = state.calls.open[callId];
      if (!isLive(state) || !isSame(call, lost)) return accept(NOTHING);
      const tool = toolOf(site, toolName);
      if (!mayRepeat(tool) && before.handledBy !== this.liveness.id) return reject('conflict', 'CONFLICT', 'The tool may no longer be called twice.');
      const { action, problems, ...rest } = prepareAction({ siteId, runId, callId, tool: toolName, arguments: input, pepper: recalled?.pepper }, tool);
      const inputs = { ...this.dispatch.inputs(tool, problems, capabilities, lookedUp, origin, before.approvalId !== undefined), repeated: true };
      const verdict = decideToolCall({ ...inputs, run: state, site, tool, arguments: action.arguments, now: context.now, matches: matchesPattern });
      toRun = { tool, ...rest };
      const asked = { action, inputs, governanceVersion, handledBy: this.dispatch.handledBy(tool), sealed: before.sealed };
      if (verdict.route === 'execute') return accept({ ...NOTHING, run: [authorisedEvent(asked, verdict, before.approvalId)] });
      if (before.approvalId === undefined) return requestToolCall(state, asked, verdict, approvalId, site.settings.approvalExpiryMs, context);
      if (verdict.route !== 'deny') return reject('conflict', 'CONFLICT', 'The approved call has to wait.');
      return accept({ ...denialEvents(asked, verdict), approval: [{ type: 'ApprovedCallFailed', data: { callId, error: `The call was denied: ${verdict.reason}` } }] });
    });
    if (!executed.ok) return executed.rejection.code === 'CONFLICT' ? this.ask(run, lost, context) : executed;
    const finished = await this.dispatch.finish(streams, executed, callId, toRun, inRun, await this.workerOf(run));
    return finished.ok ? { ok: true, data: { became: 'repeated' }, position: finished.position } : finished;
  }

  private async ask(run: OpenedRun, lost: Lost, context: Context): Promise<Outcome<Recovered>> {
    const { runId, goalId, envelope } = run;
    const raised = await this.doubts.raise({ runId, goalId, siteId: context.siteId, principalId: envelope.principalId }, lost, { ...context, commandId: `${context.commandId}:ask` });
    return raised.ok ? { ok: true, data: { became: isLive(run) ? 'indeterminate' : 'settled' }, position: raised.position } : raised;
  }

  /** The work of a run is that of its principal, whoever found it lost. */
  private async workerOf({ envelope, agentRole }: OpenedRun): Promise<Actor> {
    const { state } = await this.executor.states.load(principalAggregate, envelope.principalId);
    return { kind: state.status === 'none' ? 'agent' : state.principal.kind, id: envelope.principalId, ...(agentRole !== undefined && { role: agentRole }) };
  }
}

const NOTHING: CallEvents = { run: [], goal: [], approval: [] };
