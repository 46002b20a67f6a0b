import type { CreatedSubscription, CreateSubscriptionBody, DeletedSubscription, ReplaySubscriptionBody, SubscriptionStatus, SubscriptionView } from '@app/cdc/contract';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';

export type CdcSubscription = SubscriptionView;
export type CdcSubscriptionStatus = SubscriptionStatus;
/** Without `fromPosition` it delivers what happens from now on; '1' is the whole history. */
export type NewCdcSubscription = CreateSubscriptionBody;
/** `secret` is what deliveries are signed with, unless the body named one: shown once, to be given to `verifyWebhook`. */
export type CreatedCdcSubscription = CreatedSubscription;
export type DeletedCdcSubscription = DeletedSubscription;

/** Who is sent the events of the site. Needs `cdc:manage`. */
export class Cdc {
  constructor(private readonly transport: Transport) {}

  list = (query: ListQuery = {}, options: ReadOptions = {}): Promise<Page<CdcSubscription>> => this.transport.page('/cdc/subscriptions', { ...options, query });

  each = (query: ListQuery = {}, options: ReadOptions = {}): AsyncGenerator<CdcSubscription> => everyRow((cursor) => this.list({ ...query, cursor }, options));

  /** How far its deliveries are, and what keeps them from going on. */
  get = async (subscriptionId: string, options?: ReadOptions): Promise<CdcSubscriptionStatus> =>
    (await this.transport.read<CdcSubscriptionStatus>(path`/cdc/subscriptions/${subscriptionId}`, options)).data;

  create = (subscription: NewCdcSubscription, options?: WriteOptions): Promise<Answer<CreatedCdcSubscription>> => this.transport.write('POST', '/cdc/subscriptions', subscription, options);

  /** Delivers again from a position on; one that lies ahead passes over what is in between. */
  replay = (subscriptionId: string, from: ReplaySubscriptionBody, options?: WriteOptions): Promise<Answer<CdcSubscription>> =>
    this.transport.write('POST', path`/cdc/subscriptions/${subscriptionId}/replay`, from, options);

  delete = (subscriptionId: string, options?: WriteOptions): Promise<Answer<DeletedCdcSubscription>> => this.transport.write('DELETE', path`/cdc/subscriptions/${subscriptionId}`, undefined, options);
}
