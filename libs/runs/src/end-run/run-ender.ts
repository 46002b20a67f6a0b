import { Injectable } from '@nestjs/common';
import { approval } from '@app/approvals/contract';
import { Executor } from '@app/event-store';
import { goal, type GoalEvent } from '@app/goals/contract';
import { accept, missing, reject, type Context, type Decision, type Outcome } from '@app/kernel';
import { supersededBy } from '../run-ending.policy';
import type { RunEvent } from '../run.events';
import { isFinished, isOpened, openApprovalsOf, run, type OpenedRun, type Run } from '../run.state';
import type { EndedRun } from './end-run.command';

export type EndingEvents = { readonly run: readonly RunEvent[]; readonly goal: readonly GoalEvent[] };

/** Ends runs, whoever wants it: goal, run and the approvals that still hold its calls end in one append. */
@Injectable()
export class RunEnder {
  constructor(private readonly executor: Executor) {}

  /** Approvals that still hold a call of the run are superseded in the same append; a newly parked one means deciding again with it. */
  async end(runId: string, context: Context, decide: (run: OpenedRun) => Decision<EndingEvents>): Promise<Outcome<EndedRun>> {
    for (;;) {
      const known = (await this.executor.current(run, runId)).state;
      if (!isOpened(known) || known.envelope.context.siteId !== context.siteId) return missing();
      const open = openApprovalsOf(known);
      let grown = false;
      const streams = { run: { aggregate: run, id: runId }, goal: { aggregate: goal, id: known.goalId } };
      const refs = { ...streams, ...Object.fromEntries(open.map((id) => [`approval ${id}`, { aggregate: approval, id }])) } as typeof streams;
      const executed = await this.executor.execute(refs, { ...context, runId, goalId: known.goalId }, ({ run: state }) => {
        if (!isOpened(state)) return missing();
        const decision = decide(state);
        if (!decision.ok) return decision;
        const ended = decision.events.run.reduce(run.evolve, state as Run);
        if (isFinished(state) || !isFinished(ended)) return decision;
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
