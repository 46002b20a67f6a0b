import type { Notification } from '../notification.schema';

/** A way to decide what a message asks, for whoever it is sent to. */
export type DecisionLink = { readonly label: string; readonly url: string };
export type Part = { readonly notification: Notification; readonly links: readonly DecisionLink[] };

/** What one message holds; more than one part only in a digest. `deliveryId` is the same in every attempt; `cause` is what ids of commands begin with. */
export type Message = { readonly deliveryId: string; readonly siteId: string; readonly parts: readonly Part[]; readonly signal: AbortSignal; readonly cause: string };

/** `gone`: the target will never take a message again. `detail` may be shown: it names no address and no secret. */
export type Sent = { readonly ok: true } | { readonly ok: false; readonly code: string; readonly detail: string; readonly gone?: true };
