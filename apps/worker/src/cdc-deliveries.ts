import { EventForms, natsDelivery, SubscriptionDeliveries, syslogDelivery, webhookDelivery } from '@app/cdc';
import { Leases, type EventStore, type Executor, type LeaseWakes } from '@app/event-store';
import { DeliveryStream, type EventShapes, type NatsLink } from '@app/nats';
import { OutboundHttp, OutboundTcp } from '@app/outbound';
import type { Vault } from '@app/vault';
import { SignedWebhook, VaultSigningSecret } from '@app/webhooks';
import type { Pool } from 'pg';

export type CdcDeliveriesOptions = {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly executor: Executor;
  readonly vault: Vault;
  readonly wakes: LeaseWakes;
  readonly nats: NatsLink | undefined;
  readonly shapes: EventShapes;
  readonly onError: (error: unknown) => void;
};

/** What subscribers are sent of the log. Several processes may run it; a lease for each subscription decides who delivers. */
export const cdcDeliveries = ({ pool, store, executor, vault, wakes, nats, shapes, onError }: CdcDeliveriesOptions): SubscriptionDeliveries => {
  const webhook = new SignedWebhook({ outbound: new OutboundHttp(), secrets: vault, signing: new VaultSigningSecret(vault) });
  const forms = new EventForms({ db: pool, shapes });
  const targets = {
    webhook: webhookDelivery({ executor, vault, webhook, forms }),
    nats: natsDelivery({ stream: nats && new DeliveryStream(nats), forms }),
    syslog: syslogDelivery({ executor, tcp: new OutboundTcp(), forms }),
  };
  return new SubscriptionDeliveries({ db: pool, store, executor, leases: new Leases(pool), wakes, targets, onError });
};
