import { SubscriptionDeliveries, webhookDelivery } from '@app/cdc';
import { Leases, type EventStore, type Executor, type LeaseWakes } from '@app/event-store';
import { OutboundHttp } from '@app/outbound';
import type { Vault } from '@app/vault';
import { SignedWebhook, VaultSigningSecret } from '@app/webhooks';
import type { Pool } from 'pg';

export type CdcDeliveriesOptions = {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly executor: Executor;
  readonly vault: Vault;
  readonly wakes: LeaseWakes;
  readonly onError: (error: unknown) => void;
};

/** What subscribers are sent of the log. Several processes may run it; a lease for each subscription decides who delivers. */
export const cdcDeliveries = ({ pool, store, executor, vault, wakes, onError }: CdcDeliveriesOptions): SubscriptionDeliveries => {
  const webhook = new SignedWebhook({ outbound: new OutboundHttp(), secrets: vault, signing: new VaultSigningSecret(vault) });
  return new SubscriptionDeliveries({ db: pool, store, executor, leases: new Leases(pool), wakes, targets: { webhook: webhookDelivery({ executor, vault, webhook }) }, onError });
};
