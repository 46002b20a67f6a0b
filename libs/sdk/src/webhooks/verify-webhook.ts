import { RequestVerifier, type ReceivedRequest } from '../signed-requests/request-verifier';

/** What is remembered of webhooks that were taken; a `Set` will do. An entry may be forgotten ten minutes later. */
export type SeenWebhooks = { has(signature: string): boolean | Promise<boolean>; add(signature: string): unknown };

export type ReceivedWebhook = Pick<ReceivedRequest, 'headers' | 'body'> & {
  readonly secret: string;
  readonly seen: SeenWebhooks;
  readonly now?: Date;
  /** How far the time of a webhook may be from now, in milliseconds; five minutes by default. */
  readonly toleranceMs?: number;
};

/** `deliveryId` is the same for every attempt at one delivery: answer one that you have finished with 200, and do nothing. */
export type VerifiedWebhook = { readonly ok: true; readonly deliveryId: string; readonly signedAt: Date } | { readonly ok: false; readonly detail: string };

/**
 * Whether a webhook was signed by the harness with this secret, now and not before. `body` is as it arrived, untouched. One that was captured and is
 * sent again is refused, as is one that is old, changed, or signed with another secret.
 */
export const verifyWebhook = async ({ secret, headers, body, seen, now = new Date(), toleranceMs }: ReceivedWebhook): Promise<VerifiedWebhook> => {
  const isNew = async (signature: string) => {
    if (await seen.has(signature)) return false;
    await seen.add(signature);
    return true;
  };
  const verdict = await new RequestVerifier(secret, { now: () => now, isNew, ...(toleranceMs !== undefined && { toleranceMs }) }).verify({ method: 'POST', url: '', headers, body });
  if (!verdict.ok) return verdict;
  const [, deliveryId] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-harness-delivery') ?? [];
  return { ok: true, deliveryId: typeof deliveryId === 'string' ? deliveryId : '', signedAt: verdict.signedAt };
};
