import type { Recorded } from '@app/kernel';
import type { KeptTarget } from '../subscription.events';
import type { KnownSubscription } from '../subscription.state';

/** `code` is stable, `detail` a sentence that may be shown. */
export type Delivered = { readonly ok: true } | { readonly ok: false; readonly code: string; readonly detail: string };

/** Hands one event to the target of a subscription. Once it says that this went well the event is not sent again. */
export type Deliver = (subscription: KnownSubscription, event: Recorded, signal: AbortSignal) => Promise<Delivered>;

/** How events get to each kind of target. */
export type TargetDeliveries = { readonly [Type in KeptTarget['type']]: Deliver };
