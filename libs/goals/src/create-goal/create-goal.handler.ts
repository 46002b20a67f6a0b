import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Bus } from '@app/cqrs';
import { Executor, idFor, stateHash } from '@app/event-store';
import { governance, type Governance } from '@app/governance/contract';
import { reject, type Context, type Outcome } from '@app/kernel';
import { AGENT_RUNS, QueueProvider } from '@app/queue';
import { endOfDeniedTask, GetRun, run, StopRun } from '@app/runs/contract';
import { ExactArguments, RequestToolCall } from '@app/tool-calls/contract';
import { goal } from '../goal.state';
import { CreateGoal, type CreatedGoal } from './create-goal.command';
import { createGoal } from './create-goal.decide';

@CommandHandler(CreateGoal)
export class CreateGoalHandler implements ICommandHandler<CreateGoal> {
  /** Hash per governance state; a state that a site no longer has is collected with it. */
  private readonly hashes = new WeakMap<Governance, string>();

  constructor(
    private readonly executor: Executor,
    private readonly bus: Bus,
    private readonly exact: ExactArguments,
    /** Null where the server was told to have none. */
    @Inject(QueueProvider) private readonly queue: QueueProvider | null,
  ) {}

  async execute({ body, principal, contextFor, lineage }: CreateGoal): Promise<Outcome<CreatedGoal>> {
    const context = contextFor('open');
    const [goalId, runId] = [idFor('goal', context), idFor('run', context)];
    const refs = {
      goal: { aggregate: goal, id: goalId, fresh: true },
      run: { aggregate: run, id: runId, fresh: true },
      governance: { aggregate: governance, id: context.siteId, guard: true },
    } as const;
    const task = { siteId: context.siteId, runId, callId: 'task' };
    const kept = body.execution === 'async' && body.task ? await this.exact.keep(task, body.task.arguments) : undefined;
    const opened = await this.executor.execute(refs, { ...context, runId, goalId }, (states) =>
      createGoal(states, body, principal, { goalId, runId }, this.hashOf(states.governance), { siteId: context.siteId, canQueue: this.queue !== null, sealed: kept?.sealed }, lineage),
    );
    if (kept && (!opened.ok || !opened.events.run?.length)) await this.exact.forget(task, kept);
    if (!opened.ok) return opened;
    if (body.execution === 'async' && body.task) return this.enqueue({ goalId, runId }, opened, contextFor('enqueue'));
    if (!body.task) return { ok: true, data: { goalId, runId, goalStatus: opened.states.goal.status, runStatus: opened.states.run.status }, position: opened.position };
    const call = { tool: body.task.skillName, arguments: body.task.arguments, callId: idFor('call', { ...context, repeatable: true }) };
    const result = await this.bus.send(new RequestToolCall(runId, call, principal, contextFor('task')));
    if (!result.ok) return result;
    let { position } = result;
    if (result.data.status === 'denied') {
      const stopped = await this.bus.send(new StopRun(runId, endOfDeniedTask(result.data.reason), contextFor('denied')));
      if (!stopped.ok) return stopped;
      position = stopped.position;
    }
    const ended = await this.bus.ask(new GetRun(runId, context));
    if (!ended.ok) return ended;
    const { state } = await this.executor.current(goal, goalId);
    return { ok: true, data: { goalId, runId, goalStatus: state.status, runStatus: ended.data.status, result: result.data }, position };
  }

  /** The job may have been stored although its answer was lost; a run that is no longer queued is then left alone. */
  private async enqueue({ goalId, runId }: { readonly goalId: string; readonly runId: string }, opened: { readonly position: bigint }, context: Context): Promise<Outcome<CreatedGoal>> {
    const queued = await this.queue!.enqueue(AGENT_RUNS, runId, { runId, siteId: context.siteId }).catch((error: unknown) => reject('unavailable', 'UNAVAILABLE', String((error as Error).message)));
    if (queued.ok) return { ok: true, data: { goalId, runId, goalStatus: 'open', runStatus: 'queued' }, position: opened.position };
    const reason = `The run could not be put into the queue: ${queued.rejection.detail}`;
    await this.bus.send(new StopRun(runId, { status: 'failed', reason }, context, { only: ['queued'] }));
    return reject('unavailable', 'ENQUEUE_FAILED', reason, { goalId, runId });
  }

  private hashOf(state: Governance): string {
    const known = this.hashes.get(state) ?? stateHash(state);
    this.hashes.set(state, known);
    return known;
  }
}
