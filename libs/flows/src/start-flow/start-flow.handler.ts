import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor, newEventId } from '@app/event-store';
import { accept, missing, type Outcome } from '@app/kernel';
import { flow } from '../flow.state';
import { begunBy, occurrenceIds } from '../occurrence';
import { nextRunAt } from '../schedule/next-run';
import { StartFlow, type StartedFlow } from './start-flow.command';
import { startFlow } from './start-flow.decide';

@CommandHandler(StartFlow)
export class StartFlowHandler implements ICommandHandler<StartFlow> {
  constructor(private readonly executor: Executor) {}

  async execute({ flowId, cause, context }: StartFlow): Promise<Outcome<StartedFlow>> {
    const begun = { ...occurrenceIds(newEventId()), cause };
    const done = await this.executor.execute({ flow: { aggregate: flow, id: flowId } }, context, (states) => {
      const decision = startFlow(states, begun, ({ trigger, enabled }) => nextRunAt(trigger, enabled, context.now), context);
      return decision.ok ? accept({ flow: begunBy(decision.events.flow, begun.occurrenceId) }) : decision;
    });
    if (!done.ok) return done;
    const { flow: state } = done.states;
    // A repeat of a command whose occurrence has ended since still names that one.
    const known = state.status === 'none' ? null : (state.open ?? state.lastRun);
    if (!known) return missing();
    const { occurrenceId, goalId, runId } = known;
    return { ok: true, data: { flowId, occurrenceId, goalId, runId, cause }, position: done.position };
  }
}
