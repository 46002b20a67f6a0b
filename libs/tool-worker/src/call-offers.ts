import type { CallKey, Place } from './worker-call-table';

export type Offer = CallKey & Place & { readonly leaseMs: number };

/** Tells workers that do not poll that there is a call for them. */
export abstract class CallOffers {
  /** May be called again and again while nobody has taken the call. Never waits, never throws. */
  abstract announce(offer: Offer): void;
}
