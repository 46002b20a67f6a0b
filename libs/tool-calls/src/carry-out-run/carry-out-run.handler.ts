import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Bus } from '@app/cqrs';
import { Executor, idOfText } from '@app/event-store';
import { goal } from '@app/goals/contract';
import { Liveness } from '@app/liveness';
import { missing, type Actor, type Context, type Outcome, type Principal } from '@app/kernel';
import { claimRun, endOfDeniedTask, isOpened, releaseRun, run, StopRun, type OpenedRun } from '@app/runs/contract';
import { principal, type PrincipalState } from '@app/sites/contract';
import { ExactArguments } from '../contract';
import { RequestToolCall } from '../request-tool-call/request-tool-call.command';
import { CarryOutRun, type CarriedOut } from './carry-out-run.command';

@CommandHandler(CarryOutRun)
export class CarryOutRunHandler implements ICommandHandler<CarryOutRun> {
  constructor(
    private readonly executor: Executor,
    private readonly liveness: Liveness,
    private readonly bus: Bus,
    private readonly exact: ExactArguments,
  ) {}

  async execute({ runId, contextFor }: CarryOutRun): Promise<Outcome<CarriedOut>> {
    const taken = await this.claim(runId, contextFor('claim'));
    if (!taken.ok) return taken.rejection.code === 'CONFLICT' || taken.rejection.code === 'RUN_TERMINAL' ? { ok: true, data: { state: 'elsewhere' }, position: 0n } : taken;
    const state = taken.states.run;
    if (!isOpened(state) || state.task === undefined || state.status !== 'running') return { ok: true, data: { state: 'elsewhere' }, position: taken.position };
    const holder = await this.executor.current(principal, state.envelope.principalId);
    const asked = contextFor('task');
    const context = { ...asked, actor: actorOf(holder.state, state) };
    const { tool, arguments: shown, sealed } = state.task;
    const recalled = sealed === undefined ? undefined : await this.exact.recall({ siteId: context.siteId, runId, callId: 'task' }, sealed);
    // Masked arguments whose exact ones are gone are refused by the door, with the places of the masks.
    const body = { tool, arguments: (recalled?.given ?? shown) as typeof shown, callId: taskCallId(runId) };
    const result = await this.bus.send(new RequestToolCall(runId, body, principalOf(state, context.actor), context));
    if (!result.ok) return result;
    const { status, reason, retryAfterMs } = result.data;
    if (status === 'deferred') {
      const released = await this.executor.execute({ run: { aggregate: run, id: runId } }, contextFor('release'), (states) => releaseRun(states.run, this.liveness.id));
      return { ok: true, data: { state: 'later', retryAfterMs: retryAfterMs ?? 1_000 }, position: released.ok ? released.position : result.position };
    }
    if (status === 'denied') {
      const stopped = await this.bus.send(new StopRun(runId, endOfDeniedTask(reason), contextFor('denied')));
      if (!stopped.ok) return stopped;
    }
    return { ok: true, data: { state: 'done' }, position: result.position };
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
