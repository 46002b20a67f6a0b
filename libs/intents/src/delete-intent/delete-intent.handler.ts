import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { collection, collectionId } from '@app/content/contract';
import { Executor } from '@app/event-store';
import { missing, type Outcome } from '@app/kernel';
import { liveIntent } from '../checked-definition.policy';
import { intent } from '../intent.state';
import { DeleteIntent, type DeletedIntent } from './delete-intent.command';
import { deleteIntent } from './delete-intent.decide';

@CommandHandler(DeleteIntent)
export class DeleteIntentHandler implements ICommandHandler<DeleteIntent> {
  constructor(private readonly executor: Executor) {}

  async execute({ intentId, context }: DeleteIntent): Promise<Outcome<DeletedIntent>> {
    const known = liveIntent((await this.executor.current(intent, intentId)).state, context.siteId);
    if (!known.ok) return known;
    const refs = {
      intent: { aggregate: intent, id: intentId },
      collection: { aggregate: collection, id: collectionId(context.siteId, known.intent.definition.collection) },
    } as const;
    const done = await this.executor.execute(refs, context, (states) => deleteIntent(states, context));
    if (!done.ok) return done;
    const { intent: state } = done.states;
    return state.status === 'deleted' ? { ok: true, data: { id: intentId, deletedAt: state.deletedAt }, position: done.position } : missing();
  }
}
