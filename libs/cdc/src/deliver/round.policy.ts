import type { KnownSubscription } from '../subscription.state';

/** Which events of the log it gets: its own site's alone, whatever else it asks for. */
export const filterOf = ({ siteId, filter: { types, categories } }: Pick<KnownSubscription, 'siteId' | 'filter'>) => ({ siteId, ...(types && { types }), ...(categories && { categories }) });

/** Names the checkpoint and the lease. A replay begins a new round with a checkpoint of its own, so that what an earlier round still does moves nothing. */
export const consumerOf = ({ subscriptionId, replays }: Pick<KnownSubscription, 'subscriptionId' | 'replays'>): string => `cdc:${subscriptionId}:${replays}`;

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

/**
 * How long to wait after so many attempts in vain. At least a second, so that the next attempt has another time and with it another signature: a
 * receiver that refuses what came before would refuse it else.
 */
export const retryMs = (attempts: number): number => Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 10));
