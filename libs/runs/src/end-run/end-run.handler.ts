import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { approval } from '@app/approvals/contract';
import { Executor } from '@app/event-store';
import { goal } from '@app/goals/contract';
import { accept, missing, reject, type Outcome } from '@app/kernel';
import { supersededBy } from '../run-ending.policy';
import { isFinished, isLive, openApprovalsOf, run, type Run } from '../run.state';
import { EndRun, type EndedRun } from './end-run.command';
import { endRun } from './end-run.decide';

@CommandHandler(EndRun)
export class EndRunHandler implements ICommandHandler<EndRun> {
  constructor(private readonly executor: Executor) {}

  /** Approvals that still hold a call of the run are superseded in the same append; a newly parked one means deciding again with it. */
  async execute({ runId, wish, principal, context }: EndRun): Promise<Outcome<EndedRun>> {
    for (;;) {
      const known = (await this.executor.current(run, runId)).state;
      if ((!isLive(known) && !isFinished(known)) || known.envelope.context.siteId !== context.siteId) return missing();
      const open = openApprovalsOf(known);
      let grown = false;
      const streams = { run: { aggregate: run, id: runId }, goal: { aggregate: goal, id: known.goalId } };
      const refs = { ...streams, ...Object.fromEntries(open.map((id) => [`approval ${id}`, { aggregate: approval, id }])) } as typeof streams;
      const executed = await this.executor.execute(refs, { ...context, runId, goalId: known.goalId }, ({ run: state }) => {
        const decision = endRun(state, wish, principal, context.siteId);
        if (!decision.ok) return decision;
        const ended = decision.events.run.reduce(run.evolve, state as Run);
        if (!isLive(state) || !isFinished(ended)) return decision;
        const now = openApprovalsOf(state);
        grown = now.some((id) => !open.includes(id));
        if (grown) return reject('conflict', 'CONFLICT', 'Another call was parked meanwhile.');
        return accept({ ...decision.events, ...Object.fromEntries(now.map((id) => [`approval ${id}`, [supersededBy(ended.status)]])) });
      });
      if (!executed.ok && grown) continue;
      if (!executed.ok) return executed;
      const { status, goalId, stopReason } = executed.states.run as { status: string; goalId: string; stopReason?: string | null };
      return { ok: true, data: { runId, goalId, status, stopReason: stopReason ?? null }, position: executed.position };
    }
  }
}
