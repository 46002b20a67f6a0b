import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, Executor } from '@app/event-store';
import type { Outcome } from '@app/kernel';
import { liveSubscription } from '../live-subscription.policy';
import { subscription } from '../subscription.state';
import { subscriptionView, type SubscriptionView } from '../subscription-list/subscription.view';
import { ReplaySubscription } from './replay-subscription.command';
import { replaySubscription } from './replay-subscription.decide';

@CommandHandler(ReplaySubscription)
export class ReplaySubscriptionHandler implements ICommandHandler<ReplaySubscription> {
  constructor(
    private readonly executor: Executor,
    private readonly store: EventStore,
  ) {}

  async execute({ subscriptionId, body, context }: ReplaySubscription): Promise<Outcome<SubscriptionView>> {
    const head = await this.store.head();
    const done = await this.executor.execute({ subscription: { aggregate: subscription, id: subscriptionId } }, context, (states) => replaySubscription(states, body, head, context));
    if (!done.ok) return done;
    const found = liveSubscription(done.states.subscription, context.siteId);
    return found.ok ? { ok: true, data: subscriptionView(found.subscription), position: done.position } : found;
  }
}
