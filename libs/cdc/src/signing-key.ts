import type { Vault } from '@app/vault';
import type { Webhook } from '@app/webhooks';
import type { SubscriptionTo } from './deliver/target-delivery';

/** Under which a subscription's own secret is sealed; destroyed with the subscription. */
export const keySubject = (subscriptionId: string): string => `subscription:${subscriptionId}`;

/** What the deliveries of a subscription to a webhook are signed with. */
export const signingKey = async (vault: Pick<Vault, 'open'>, { subscriptionId, target: { secret, sealedSecret } }: SubscriptionTo<'webhook'>): Promise<Webhook['signedWith']> => {
  if (sealedSecret === undefined) return secret === null ? undefined : { secret };
  const opened = await vault.open(keySubject(subscriptionId), sealedSecret);
  if (!opened.ok) throw new Error(`The secret of subscription ${subscriptionId} was destroyed.`);
  return { value: opened.value as string };
};
