import type { Bus } from '@app/cqrs';
import type { Executor } from '@app/event-store';
import { OpenGoal } from '@app/goals/contract';
import { atStep, type Context, type Outcome, type Principal } from '@app/kernel';
import { EndRun } from '@app/runs/contract';
import { principal } from '@app/sites/contract';
import { RequestToolCall, type ToolCallAnswer } from '@app/tool-calls/contract';
import { flow, type KnownFlow, type OpenOccurrence } from '../flow.state';
import { openingCommand } from '../occurrence';
import { operationCall } from '../operation-call.policy';
import { finishFlow, type Finish, type OperationResult } from './finish-flow.decide';

/** An occurrence that still waits then, for a person who does not come for instance, is ended as failed. */
const GIVE_UP_AFTER_MS = 7 * 24 * 3_600_000;
/** Answers after which the next operation may begin: a staged change waits on its own. */
const GOES_ON: readonly ToolCallAnswer['status'][] = ['executed', 'staged'];
/** Answers that are not the last word: the same call is asked for again. */
const WAITS: readonly ToolCallAnswer['status'][] = ['deferred', 'pending_approval', 'indeterminate'];

type Occurrence = { readonly flow: KnownFlow; readonly open: OpenOccurrence; readonly as: Principal; readonly context: Context };

/**
 * Carries an occurrence out: its goal, then one tool call after the other through the door, under the flow's own principal. Every step has an id
 * made of the occurrence, so driving it twice, at once or after a crash, does nothing twice.
 */
export class FlowDriver {
  constructor(
    private readonly executor: Executor,
    private readonly bus: Pick<Bus, 'send'>,
  ) {}

  /** `later` while something has to be waited for; `goesOn` is asked between two operations. */
  async drive(flowId: string, now: Date, goesOn: () => boolean = () => true): Promise<'done' | 'later'> {
    const { state } = await this.executor.current(flow, flowId);
    if (state.status === 'none' || !state.open) return 'done';
    const { state: known } = await this.executor.current(principal, state.principalId);
    if (known.status === 'none') throw new Error(`Flow ${flowId} has no principal`);
    const { id, kind, agentRole } = known.principal;
    const actor = { kind, id, ...(agentRole !== undefined && { role: agentRole }) };
    const context = { actor, siteId: state.siteId, now, correlationId: state.open.occurrenceId, commandId: state.open.occurrenceId };
    const occurrence: Occurrence = { flow: state, open: state.open, as: known.principal, context };
    const finish = await this.carryOut(occurrence, goesOn);
    if (!finish) return 'later';
    await this.end(occurrence, finish);
    return 'done';
  }

  /** Undefined: it has to wait. */
  private async carryOut(occurrence: Occurrence, goesOn: () => boolean): Promise<Finish | undefined> {
    const { open, context } = occurrence;
    const results: OperationResult[] = [];
    const isTooLate = context.now.getTime() - Date.parse(open.at) > GIVE_UP_AFTER_MS;
    const opened = await this.openGoal(occurrence);
    if (!opened.ok) return mayChange(opened.rejection.kind) && !isTooLate ? undefined : { results, reason: opened.rejection.detail };
    for (const [nr, operation] of open.operations.entries()) {
      if (!goesOn()) return undefined;
      const { tool, arguments: input } = operationCall(operation);
      const call = { tool, arguments: input, callId: `operation-${nr + 1}` };
      const answer = await this.bus.send(new RequestToolCall(open.runId, call, occurrence.as, atStep(context, call.callId)));
      if (!answer.ok && mayChange(answer.rejection.kind) && answer.rejection.code !== 'RUN_TERMINAL') return undefined;
      const { status, reason = null } = answer.ok ? answer.data : { status: 'denied', reason: answer.rejection.detail };
      results.push({ operation: operation.do, tool, callId: call.callId, status, reason });
      if (answer.ok && WAITS.includes(answer.data.status)) {
        if (!isTooLate) return undefined;
        return { results, reason: `${operation.do} was still ${status} after seven days` };
      }
      if (!answer.ok || !GOES_ON.includes(answer.data.status)) return { results, reason: `${operation.do} was ${status}${reason === null ? '' : `: ${reason}`}` };
    }
    return { results, reason: null };
  }

  private openGoal({ flow: { name, agentRole }, as, context, open: { occurrenceId, operations } }: Occurrence) {
    const goal = { title: `Flow ${name}`, agentName: 'flow', ...(agentRole !== null && { agentRole }), budget: { maxToolCalls: operations.length, timeoutMs: GOAL_TIMEOUT_MS } };
    return this.bus.send(new OpenGoal(goal, as, { ...context, ...openingCommand(occurrenceId) }, { origin: 'flow' }));
  }

  /** First the run, then the word that the flow has run: until that is written the occurrence is driven again, and finds its run ended. */
  private async end({ flow: { flowId }, open, as, context }: Occurrence, finish: Finish): Promise<void> {
    const wish = finish.reason === null ? { to: 'complete', result: { operations: finish.results.length } } as const : { to: 'fail', reason: finish.reason.slice(0, 2_000) } as const;
    const ended: Outcome<unknown> = await this.bus.send(new EndRun(open.runId, wish, as, atStep(context, 'end')));
    if (!ended.ok && ended.rejection.kind === 'unavailable') throw new Error(ended.rejection.detail);
    const done = await this.executor.execute({ flow: { aggregate: flow, id: flowId } }, atStep(context, 'ran'), (states) => finishFlow(states, open, finish, context.now));
    if (!done.ok) throw new Error(done.rejection.detail);
  }
}

/** Handler time of a whole occurrence: twenty operations of the longest time limit a tool may have. */
const GOAL_TIMEOUT_MS = 20 * 600_000;

/** A freeze is lifted, a database comes back, a race is over. */
const mayChange = (kind: string) => kind === 'frozen' || kind === 'unavailable' || kind === 'conflict';
