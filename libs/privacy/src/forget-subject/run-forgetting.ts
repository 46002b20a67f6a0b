import { Injectable } from '@nestjs/common';
import { approval } from '@app/approvals/contract';
import { EventStore, Executor } from '@app/event-store';
import { goal, hasEnded, type Goal } from '@app/goals/contract';
import { accept, missing, type Context, type Outcome } from '@app/kernel';
import { isFinished, isOpened, run, type RunEvent } from '@app/runs/contract';
import { staging } from '@app/staging/contract';
import { Traces } from '../traces';
import { notForgettable } from './forgettable.policy';

export type ForgottenCounts = { readonly goals: number; readonly approvals: number; readonly changes: number };

/**
 * Whatever told of the run learns that it is forgotten, the run last: then read models and warm states of every process have placeholders. The
 * keys go after that; should this process die in between, whoever follows the log destroys them.
 */
@Injectable()
export class RunForgetting {
  constructor(
    private readonly executor: Executor,
    private readonly store: EventStore,
    private readonly traces: Traces,
  ) {}

  async forget(runId: string, contextFor: (step: string) => Context): Promise<Outcome<ForgottenCounts>> {
    const context = contextFor('run');
    const at = context.now.toISOString();
    const { state } = await this.executor.current(run, runId);
    if (!isOpened(state) || state.envelope.context.siteId !== context.siteId) return missing();
    const staged = await this.stagingsOf(runId);
    const refused = notForgettable(state, await Promise.all(staged.map(async (id) => (await this.executor.current(staging, id)).state)));
    if (refused) return refused;
    const goals = await this.lineOf(state.goalId);
    for (const id of staged) {
      const stagedEventId = await this.firstEventOf(`staging-${id}`);
      const told = await this.executor.execute({ staging: { aggregate: staging, id } }, contextFor(id), ({ staging: change }) =>
        accept(change.status === 'none' || change.status === 'staged' || change.forgotten ? {} : { staging: [{ type: 'ChangeForgotten' as const, data: { stagedEventId, at } }] }),
      );
      if (!told.ok) return told;
    }
    for (const id of state.approvals) {
      const told = await this.executor.execute({ approval: { aggregate: approval, id } }, contextFor(id), ({ approval: question }) =>
        accept(question.status === 'none' || question.forgotten ? {} : { approval: [{ type: 'ApprovalForgotten' as const, data: { at } }] }),
      );
      if (!told.ok) return told;
    }
    for (const id of goals) {
      const told = await this.executor.execute({ goal: { aggregate: goal, id } }, contextFor(id), (states) =>
        accept(states.goal.status === 'none' || states.goal.reason === null ? {} : { goal: [{ type: 'GoalForgotten' as const, data: { at } }] }),
      );
      if (!told.ok) return told;
    }
    const whole = { goals, approvals: [...state.approvals], stagings: staged };
    const done = await this.executor.execute({ run: { aggregate: run, id: runId } }, context, (states) =>
      accept(isFinished(states.run) && states.run.forgottenAt === undefined ? { run: [{ type: 'RunForgotten' as const, data: { by: context.actor.id, ...whole, at } }] } : {}),
    );
    if (!done.ok) return done;
    await this.traces.destroy({ runId, ...whole });
    return { ok: true, data: { goals: goals.length, approvals: whole.approvals.length, changes: staged.length }, position: done.position };
  }

  /** The goal, and those above it that have ended: they repeat why it failed. */
  private async lineOf(goalId: string): Promise<string[]> {
    const line: string[] = [];
    for (let id: string | null = goalId; id !== null && !line.includes(id); ) {
      const { state }: { state: Goal } = await this.executor.current(goal, id);
      if (hasEnded(state)) line.push(id);
      id = state.status === 'none' ? null : state.parentGoalId;
    }
    return line;
  }

  private async stagingsOf(runId: string): Promise<string[]> {
    const found: string[] = [];
    for await (const event of this.store.read(`run-${runId}`)) {
      const { type, data } = event as unknown as RunEvent;
      if (type === 'ToolCallStaged') found.push(data.stagingId);
    }
    return found;
  }

  private async firstEventOf(streamId: string): Promise<string> {
    for await (const { eventId } of this.store.read(streamId)) return eventId;
    return '';
  }
}
