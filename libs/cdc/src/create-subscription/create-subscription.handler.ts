import { randomBytes } from 'node:crypto';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, Executor, idFor } from '@app/event-store';
import { withheld } from '@app/http';
import type { Outcome } from '@app/kernel';
import { ReadModels } from '@app/projections';
import { Vault } from '@app/vault';
import { Broker } from '../broker';
import { liveSubscription } from '../live-subscription.policy';
import { keySubject } from '../signing-key';
import type { KeptTarget } from '../subscription.events';
import type { SubscriptionTarget } from '../subscription.schema';
import { subscription } from '../subscription.state';
import { subscriptions } from '../subscription-list/subscriptions.projection';
import { subscriptionView } from '../subscription-list/subscription.view';
import { CreateSubscription, type CreatedSubscription } from './create-subscription.command';
import { createSubscription, MOST_SUBSCRIPTIONS } from './create-subscription.decide';

@CommandHandler(CreateSubscription)
export class CreateSubscriptionHandler implements ICommandHandler<CreateSubscription> {
  constructor(
    private readonly executor: Executor,
    private readonly store: EventStore,
    private readonly vault: Vault,
    private readonly reads: ReadModels,
    private readonly broker: Broker,
  ) {}

  async execute({ body, context }: CreateSubscription): Promise<Outcome<CreatedSubscription>> {
    const subscriptionId = idFor('sub', context);
    const secret = body.target.type === 'webhook' && body.target.secret === undefined ? `whsec_${randomBytes(32).toString('base64url')}` : null;
    const target = await this.kept(body.target, secret, subscriptionId, context.siteId);
    const { rows: others } = await this.reads.list(subscriptions, { siteId: context.siteId, limit: MOST_SUBSCRIPTIONS });
    const made = { subscriptionId, target, head: await this.store.head(), others: others.length, hasBroker: this.broker.isConfigured };
    const done = await this.executor.execute({ subscription: { aggregate: subscription, id: subscriptionId } }, context, (states) => createSubscription(states, body, made, context));
    if (!done.ok) return done;
    const found = liveSubscription(done.states.subscription, context.siteId);
    if (!found.ok) return found;
    const data = { ...subscriptionView(found.subscription), secret };
    // A repeat finds what the first attempt sealed, and nobody can be shown that again.
    const isFirst = secret === null || sealedSecretOf(found.subscription.target) === sealedSecretOf(target);
    return { ok: true, data: isFirst ? data : withheld(data, 'secret'), position: done.position };
  }

  private async kept(target: SubscriptionTarget, made: string | null, subscriptionId: string, siteId: string): Promise<KeptTarget> {
    if (target.type !== 'webhook') return target;
    const { type, url, secret } = target;
    return { type, url, secret: secret ?? null, ...(made !== null && { sealedSecret: await this.vault.seal(keySubject(subscriptionId), siteId, made) }) };
  }
}

const sealedSecretOf = (target: KeptTarget) => (target.type === 'webhook' ? target.sealedSecret : undefined);
