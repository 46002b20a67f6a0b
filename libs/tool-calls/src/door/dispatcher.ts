import { Injectable, Optional } from '@nestjs/common';
import { Executor } from '@app/event-store';
import { goal as goalAggregate } from '@app/goals/contract';
import { governance, toolOf, type EffectiveTool } from '@app/governance/contract';
import { Liveness } from '@app/liveness';
import type { Actor, Context, Outcome } from '@app/kernel';
import { callIn, type OpenedRun, type Run, type RunEvent } from '@app/runs/contract';
import { scrub } from '@app/vault/contract';
import { Deferrals, ToolHandlers } from '../contract';
import { Doubts } from '../recover-call/doubts';
import type { CallTarget } from '../request-tool-call/call-target.view';
import type { Prepared } from '../request-tool-call/request-tool-call.decide';
import { settleToolCall } from '../settle-tool-call/settle-tool-call.decide';
import { answerOf, BY_CLIENT, type ToolCallAnswer } from '../tool-call-answer.view';
import { CallRecords } from './call-records';
import type { Deferral, DoorInputs } from './door.policy';
import { Handling } from './handling';
import { RunDecisions } from './run-decisions';
import type { doorStreams } from './run-streams';

type Streams = ReturnType<typeof doorStreams>;
type Decided = Awaited<ReturnType<RunDecisions['decide']>>;
/** What was looked up for a call before its decision. */
export type LookedUp = { readonly target: CallTarget | null; readonly deferral: Deferral | null };

/** The tool as it was decided on, and what it is to run with. */
export type ToRun = { readonly tool: EffectiveTool | undefined } & Pick<Prepared, 'exact' | 'secrets'>;

/** What lies on both sides of a door decision: the facts it needs from the world outside the log, and the handler that it lets run. */
@Injectable()
export class Dispatcher {
  constructor(
    private readonly executor: Executor,
    private readonly handlers: ToolHandlers,
    private readonly handling: Handling,
    private readonly decisions: RunDecisions,
    private readonly records: CallRecords,
    private readonly doubts: Doubts,
    @Optional() private readonly deferrals?: Deferrals,
    @Optional() private readonly liveness?: Liveness,
  ) {}

  /**
   * Runs the handler of a call that was just authorised, records what became of it, and gives the call's answer. What the handler writes is
   * the work of `actor`: of whoever asked for the call, not of the person who approved it.
   */
  async finish(
    streams: Streams,
    { states, position, events }: { readonly states: { readonly run: Run }; readonly position: bigint; readonly events: { readonly run?: readonly RunEvent[] } },
    callId: string,
    toRun: ToRun | undefined,
    context: Context,
    actor: Actor = context.actor,
  ): Promise<Outcome<ToolCallAnswer>> {
    const runId = streams.run.id;
    const call = await this.records.of(states.run, callId, events.run);
    if (call.status !== 'authorised' || call.asked.handledBy === BY_CLIENT) return { ok: true, data: answerOf(call), position };
    const key = `${runId}/${callId}`;
    const isNew = events.run?.some(({ type, data }) => type === 'ToolCallAuthorised' && data.callId === callId);
    const settled = isNew && toRun?.tool !== undefined
      ? await this.handling.start(key, toRun.tool, { ...call.asked, arguments: toRun.exact }, position, { ...context, actor }, (outcome) => {
          const settling = { ...context, commandId: `${context.commandId}:outcome` };
          if (outcome === 'unknown') return this.doubts.raise({ runId, goalId: streams.goal.id, siteId: context.siteId, principalId: streams.principal.id }, call, settling);
          // What a tool was given it may say again, and not in a form that gives a secret away.
          const told = outcome.ok ? { ...outcome, result: scrub(outcome.result, toRun.secrets) } : { ...outcome, error: scrub(outcome.error, toRun.secrets) };
          return this.decisions.decide(streams, settling, (state) => settleToolCall(state, callId, told));
        })
      : await this.handling.join<Decided>(key);
    // Another process is running it, or was when it died: the record says no more than that.
    if (!settled) return { ok: true, data: answerOf(call), position };
    if (!settled.ok) return settled;
    const told: readonly RunEvent[] = [{ type: 'ToolCallAuthorised', data: call.asked }, ...(settled.events.run ?? [])];
    return { ok: true, data: answerOf(await this.records.of(settled.states.run, callId, told)), position: settled.position };
  }

  /** What the decision needs and only the world outside the log knows. A tool that nobody registered has no target and waits for nothing. */
  async lookUp(
    run: OpenedRun,
    call: { readonly callId: string; readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> },
    { siteId, now }: Context,
  ): Promise<LookedUp> {
    const tool = toolOf((await this.executor.states.load(governance, siteId)).state, call.tool);
    if (!tool) return { target: null, deferral: null };
    const target = await this.handlers.target(tool, call.arguments, siteId, run.envelope.principalId);
    const before = callIn(run.calls, call.callId);
    // A call whose word was spoken is answered from the record: it waits for nothing and takes nothing of a budget.
    if (!this.deferrals || (before && before.status !== 'deferred' && before.status !== 'parked')) return { target, deferral: null };
    const { state: goal } = await this.executor.states.load(goalAggregate, run.goalId);
    const [origin, intentId] = goal.status === 'none' ? ['user', null] : [goal.origin, goal.intentId];
    const { maxWritesPerMinute } = run.envelope.budget;
    const writes = this.handlers.writes(tool, call.arguments);
    return { target, deferral: await this.deferrals.of({ siteId, runId: run.runId, callId: call.callId, tool, origin, intentId, maxWritesPerMinute, writes, now }) };
  }

  /** A registered tool without a handler in this server cannot run, so for the door it is not there. */
  inputs = (
    tool: EffectiveTool | undefined,
    argumentProblems: DoorInputs['argumentProblems'],
    capabilities: readonly string[],
    { target, deferral }: LookedUp,
    origin: string,
    approved: boolean,
  ): DoorInputs => ({
    capabilities, argumentProblems, ...problemsOf(target, approved), pinnedFields: target?.pinnedFields ?? [], deferral, origin, approved, handled: tool !== undefined && this.handlers.handles(tool),
  });

  /** A handler of this process is running it, or its outcome still waits for the log. */
  isRunning = (runId: string, callId: string): boolean => this.handling.isRunning(`${runId}/${callId}`);

  handledBy = (tool: EffectiveTool | undefined) => (tool?.kind === 'client' ? BY_CLIENT : this.liveness?.id);
}

/** What was approved is carried out as far as it goes: the handler says how far that was. */
const problemsOf = (target: CallTarget | null, approved: boolean) => (approved || !target?.problems?.length ? {} : { targetProblems: target.problems });
