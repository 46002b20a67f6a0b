import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { collection, collectionId } from '@app/content/contract';
import { Executor } from '@app/event-store';
import { goal, type Goal } from '@app/goals/contract';
import { accept, missing, type Outcome } from '@app/kernel';
import { liveIntent } from '../checked-definition.policy';
import { intent } from '../intent.state';
import { allDrifts } from '../open-drifts.state';
import { DeleteIntent, type DeletedIntent } from './delete-intent.command';
import { deleteIntent, goalsOf } from './delete-intent.decide';

@CommandHandler(DeleteIntent)
export class DeleteIntentHandler implements ICommandHandler<DeleteIntent> {
  constructor(private readonly executor: Executor) {}

  async execute({ intentId, context }: DeleteIntent): Promise<Outcome<DeletedIntent>> {
    const known = liveIntent((await this.executor.current(intent, intentId)).state, context.siteId);
    if (!known.ok) return known;
    const goalIds = goalsOf(allDrifts(known.intent.drifts));
    const streams = {
      intent: { aggregate: intent, id: intentId },
      collection: { aggregate: collection, id: collectionId(context.siteId, known.intent.definition.collection) },
    } as const;
    const refs = { ...streams, ...Object.fromEntries(goalIds.map((id) => [id, { aggregate: goal, id }])) } as typeof streams;
    const done = await this.executor.execute(refs, context, (states) => {
      const goals = Object.fromEntries(goalIds.map((id) => [id, (states as unknown as Readonly<Record<string, Goal>>)[id]!]));
      const decision = deleteIntent({ ...states, goals }, context);
      if (!decision.ok) return decision;
      const { goals: cancelled, ...events } = decision.events;
      return accept({ ...events, ...cancelled });
    });
    if (!done.ok) return done;
    const { intent: state } = done.states;
    return state.status === 'deleted' ? { ok: true, data: { id: intentId, deletedAt: state.deletedAt }, position: done.position } : missing();
  }
}
