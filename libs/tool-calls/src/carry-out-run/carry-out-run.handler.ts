import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Bus } from '@app/cqrs';
import { Executor, idOfText } from '@app/event-store';
import { goal } from '@app/goals/contract';
import { HEARTBEAT_EXPIRES_MS, Liveness } from '@app/liveness';
import { missing, type Actor, type Context, type Outcome, type Principal, type Rejection } from '@app/kernel';
import { claimRun, endOfDeniedTask, isFinished, isOpened, releaseRun, run, StopRun, type OpenedRun } from '@app/runs/contract';
import { principal, type PrincipalState } from '@app/sites/contract';
import { ExactArguments } from '../contract';
import { RequestToolCall } from '../request-tool-call/request-tool-call.command';
import { CarryOutRun, type CarriedOut } from './carry-out-run.command';
import { RunsUnderWay } from './runs-under-way';

@CommandHandler(CarryOutRun)
export class CarryOutRunHandler implements ICommandHandler<CarryOutRun> {
  constructor(
    private readonly executor: Executor,
    private readonly liveness: Liveness,
    private readonly bus: Bus,
    private readonly exact: ExactArguments,
    private readonly underWay: RunsUnderWay,
  ) {}

  async execute({ runId, contextFor }: CarryOutRun): Promise<Outcome<CarriedOut>> {
    if (this.underWay.has(runId)) return (await this.isOver(runId)) ? ELSEWHERE : HELD;
    return this.underWay.during(runId, async () => {
      const taken = await this.claim(runId, contextFor('claim'));
      if (!taken.ok) return notTaken(taken.rejection) ?? taken;
      const { run: state } = taken.states;
      if (!isOpened(state) || state.task === undefined || state.status !== 'running') return { ok: true, data: { state: 'elsewhere' }, position: taken.position };
      // Who failed keeps others away for as long as its process lives, unless it gives the run back.
      const giveBack = () => this.release(runId, contextFor('give-back')).catch(() => undefined);
      try {
        const outcome = await this.carryOut(state, state.task, contextFor);
        if (!outcome.ok) await giveBack();
        return outcome;
      } catch (error) {
        await giveBack();
        throw error;
      }
    });
  }

  private async carryOut(state: OpenedRun, task: NonNullable<OpenedRun['task']>, contextFor: CarryOutRun['contextFor']): Promise<Outcome<CarriedOut>> {
    const { runId } = state;
    const holder = await this.executor.current(principal, state.envelope.principalId);
    const asked = contextFor('task');
    const context = { ...asked, actor: actorOf(holder.state, state) };
    const { tool, arguments: shown, sealed } = task;
    const recalled = sealed === undefined ? undefined : await this.exact.recall({ siteId: context.siteId, runId, callId: 'task' }, sealed);
    // Masked arguments whose exact ones are gone are refused by the door, with the places of the masks.
    const body = { tool, arguments: (recalled?.given ?? shown) as typeof shown, callId: taskCallId(runId) };
    const result = await this.bus.send(new RequestToolCall(runId, body, principalOf(state, context.actor), context));
    if (!result.ok) return result;
    const { status, reason, retryAfterMs } = result.data;
    if (status === 'deferred') {
      const released = await this.release(runId, contextFor('release'));
      return { ok: true, data: { state: 'later', retryAfterMs: retryAfterMs ?? 1_000 }, position: released.ok ? released.position : result.position };
    }
    if (status === 'denied') {
      const stopped = await this.bus.send(new StopRun(runId, endOfDeniedTask(reason), contextFor('denied')));
      if (!stopped.ok) return stopped;
    }
    return { ok: true, data: { state: 'done' }, position: result.position };
  }

  private async isOver(runId: string): Promise<boolean> {
    const { state } = await this.executor.current(run, runId);
    return isFinished(state);
  }

  private release(runId: string, context: Context) {
    return this.executor.execute({ run: { aggregate: run, id: runId } }, context, (states) => releaseRun(states.run, this.liveness.id));
  }

  private async claim(runId: string, context: Context) {
    const { state } = await this.executor.current(run, runId);
    if (!isOpened(state)) return missing();
    const { lease: holder, goalId } = state;
    const alive = await this.liveness.alive(holder === undefined ? [] : [holder]);
    // A holder that came in between is not known to be dead, so it counts as alive.
    const isAlive = (worker: string) => worker !== holder || alive.has(worker);
    return this.executor.execute({ run: { aggregate: run, id: runId }, goal: { aggregate: goal, id: goalId } }, { ...context, runId, goalId }, (states) => claimRun(states.run, this.liveness.id, isAlive));
  }
}

/** A worker that is lost is known to be after this time; one that lives is asked for no more often. */
const HELD: Outcome<CarriedOut> = { ok: true, data: { state: 'held', retryAfterMs: HEARTBEAT_EXPIRES_MS }, position: 0n };
const ELSEWHERE: Outcome<CarriedOut> = { ok: true, data: { state: 'elsewhere' }, position: 0n };

const notTaken = ({ code, facts }: Rejection): Outcome<CarriedOut> | undefined => {
  if (code === 'RUN_TERMINAL') return ELSEWHERE;
  if (code !== 'CONFLICT') return undefined;
  // A run that waits for a person is nobody's to carry out; one that another worker has, or that changed just now, may be again.
  return facts?.runStatus === undefined ? HELD : ELSEWHERE;
};

/** A task is one call, so a repeated delivery finds the call that the first one made. */
export const taskCallId = (runId: string) => idOfText('call', `${runId}/task`);

/** The calls of a run are the work of the principal that enqueued it. */
const actorOf = (holder: PrincipalState, { envelope, agentRole }: OpenedRun): Actor => ({
  kind: holder.status === 'none' ? 'agent' : holder.principal.kind, id: envelope.principalId, ...(agentRole !== undefined && { role: agentRole }),
});

const principalOf = ({ envelope, agentRole }: OpenedRun, { kind, id }: Actor): Principal => ({
  id, kind, name: id, siteId: envelope.context.siteId, sites: [envelope.context.siteId], capabilities: envelope.capabilities, roles: [],
  ...(agentRole !== undefined && { agentRole }), platformAdmin: false,
});
