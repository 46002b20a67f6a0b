import { createHash } from 'node:crypto';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Bus } from '@app/cqrs';
import { canonicalJson, Executor, idFor } from '@app/event-store';
import { governance, type Governance } from '@app/governance/contract';
import type { Outcome } from '@app/kernel';
import { GetRun, run } from '@app/runs/contract';
import { RequestToolCall } from '@app/tool-calls/contract';
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
  ) {}

  async execute({ body, principal, contextFor }: CreateGoal): Promise<Outcome<CreatedGoal>> {
    const context = contextFor('open');
    const [goalId, runId] = [idFor('goal', context), idFor('run', context)];
    const refs = {
      goal: { aggregate: goal, id: goalId },
      run: { aggregate: run, id: runId },
      governance: { aggregate: governance, id: context.siteId, guard: true },
    } as const;
    const opened = await this.executor.execute(refs, { ...context, runId, goalId }, (states) =>
      createGoal(states, body, principal, { goalId, runId }, this.hashOf(states.governance), context),
    );
    if (!opened.ok) return opened;
    if (!body.task) return { ok: true, data: { goalId, runId, goalStatus: opened.states.goal.status, runStatus: opened.states.run.status }, position: opened.position };
    const call = { tool: body.task.skillName, arguments: body.task.arguments, callId: idFor('call', { ...context, repeatable: true }) };
    const result = await this.bus.send(new RequestToolCall(runId, call, principal, contextFor('task')));
    if (!result.ok) return result;
    const ended = await this.bus.ask(new GetRun(runId, context));
    if (!ended.ok) return ended;
    const { state } = await this.executor.current(goal, goalId);
    return { ok: true, data: { goalId, runId, goalStatus: state.status, runStatus: ended.data.status, result: result.data }, position: result.position };
  }

  private hashOf(state: Governance): string {
    const known = this.hashes.get(state) ?? `sha256:${createHash('sha256').update(canonicalJson(state)).digest('hex')}`;
    this.hashes.set(state, known);
    return known;
  }
}
