import type { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { CLOUD_EVENT_TYPE, cloudEventOf } from '@app/nats/contract';
import type { Vault } from '@app/vault';
import type { SignedWebhook } from '@app/webhooks';
import { signingKey } from '../signing-key';
import type { Deliver } from './target-delivery';

export type WebhookDeliveryParts = { readonly executor: Pick<Executor, 'current'>; readonly vault: Pick<Vault, 'open'>; readonly webhook: SignedWebhook };

/** One event as a CloudEvent in one signed request. The hosts that the site opened are those of now, so that taking one away is in force at once. */
export const webhookDelivery = ({ executor, vault, webhook }: WebhookDeliveryParts): Deliver => async (subscription, event, signal) => {
  const { siteId, target } = subscription;
  const { state } = await executor.current(governance, siteId);
  const allowHosts = state.status === 'none' ? [] : state.settings.outbound.allowHosts;
  const signedWith = await signingKey(vault, subscription);
  return webhook.send({ siteId, url: target.url, body: cloudEventOf(event), deliveryId: event.eventId, contentType: CLOUD_EVENT_TYPE, allowHosts, signedWith, signal });
};
