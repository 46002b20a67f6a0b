import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Bus } from '@app/cqrs';
import type { Outcome } from '@app/kernel';
import { CreateGoal, CreateGoalBody } from '../create-goal/create-goal.command';
import { OpenGoal } from './open-goal.command';

@CommandHandler(OpenGoal)
export class OpenGoalHandler implements ICommandHandler<OpenGoal> {
  constructor(private readonly bus: Bus) {}

  async execute({ wish, principal, context, lineage }: OpenGoal): Promise<Outcome<{ readonly goalId: string; readonly runId: string }>> {
    const created = await this.bus.send(new CreateGoal(CreateGoalBody.parse(wish), principal, (step) => (step === 'open' ? context : { ...context, commandId: `${context.commandId}:${step}` }), lineage));
    return created.ok ? { ...created, data: { goalId: created.data.goalId, runId: created.data.runId } } : created;
  }
}
