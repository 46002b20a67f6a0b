import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import type { Outcome } from '@app/kernel';
import { Vault } from '@app/vault';
import { keySubject } from '../signing-key';
import { subscription } from '../subscription.state';
import { DeleteSubscription, type DeletedSubscription } from './delete-subscription.command';
import { deleteSubscription } from './delete-subscription.decide';

@CommandHandler(DeleteSubscription)
export class DeleteSubscriptionHandler implements ICommandHandler<DeleteSubscription> {
  constructor(
    private readonly executor: Executor,
    private readonly vault: Vault,
  ) {}

  /** The log first: whoever gets no answer asks again. Without the key nobody can ever sign in the name of this subscription. */
  async execute({ subscriptionId, context }: DeleteSubscription): Promise<Outcome<DeletedSubscription>> {
    const done = await this.executor.execute({ subscription: { aggregate: subscription, id: subscriptionId } }, context, (states) => deleteSubscription(states, context));
    if (!done.ok) return done;
    await this.vault.destroy(keySubject(subscriptionId));
    return { ok: true, data: { id: subscriptionId, deleted: true }, position: done.position };
  }
}
