import { unreachable, type Recorded } from '@app/kernel';
import type { KeptTarget } from '../subscription.events';
import type { KnownSubscription } from '../subscription.state';

/** `code` is stable, `detail` a sentence that may be shown. */
export type Delivered = { readonly ok: true } | { readonly ok: false; readonly code: string; readonly detail: string };

/** A subscription whose target is of this kind. */
export type SubscriptionTo<Type extends KeptTarget['type']> = KnownSubscription & { readonly target: Extract<KeptTarget, { readonly type: Type }> };

/** Hands one event to the target of a subscription. Once it says that this went well the event is not sent again. */
export type Deliver<Type extends KeptTarget['type']> = (subscription: SubscriptionTo<Type>, event: Recorded, signal: AbortSignal) => Promise<Delivered>;

/** How events get to each kind of target. */
export type TargetDeliveries = { readonly [Type in KeptTarget['type']]: Deliver<Type> };

export const deliverTo = (targets: TargetDeliveries, subscription: KnownSubscription, event: Recorded, signal: AbortSignal): Promise<Delivered> => {
  const { target } = subscription;
  switch (target.type) {
    case 'webhook':
      return targets.webhook({ ...subscription, target }, event, signal);
    case 'nats':
      return targets.nats({ ...subscription, target }, event, signal);
    case 'syslog':
      return targets.syslog({ ...subscription, target }, event, signal);
    default:
      return unreachable(target);
  }
};
