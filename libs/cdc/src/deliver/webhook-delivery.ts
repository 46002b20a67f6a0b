import type { Executor } from '@app/event-store';
import type { Vault } from '@app/vault';
import type { SignedWebhook } from '@app/webhooks';
import type { EventForms } from '../forms/event-forms';
import { signingKey } from '../signing-key';
import { openHosts } from './open-hosts';
import type { Deliver } from './target-delivery';

export type WebhookDeliveryParts = { readonly executor: Pick<Executor, 'current'>; readonly vault: Pick<Vault, 'open'>; readonly webhook: SignedWebhook; readonly forms: EventForms };

/** One event in one signed request. */
export const webhookDelivery = ({ executor, vault, webhook, forms }: WebhookDeliveryParts): Deliver<'webhook'> => async (subscription, event, signal) => {
  const { siteId, target } = subscription;
  const [allowHosts, signedWith, { text, contentType }] = [await openHosts(executor, siteId), await signingKey(vault, subscription), await forms.of(subscription, event)];
  return webhook.send({ siteId, url: target.url, text, deliveryId: event.eventId, contentType, allowHosts, signedWith, signal });
};
