import { Query, type Outcome } from '@app/kernel';
import type { SubscriptionStatus, SubscriptionView } from './subscription.view';

type Page = { readonly limit: number; readonly cursor?: string | undefined; readonly minPosition?: bigint | undefined };

export class ListSubscriptions extends Query<{ readonly rows: readonly SubscriptionView[]; readonly nextCursor: string | null; readonly position: bigint }> {
  constructor(
    readonly siteId: string,
    readonly page: Page,
  ) {
    super();
  }
}

export class GetSubscriptionStatus extends Query<Outcome<SubscriptionStatus>> {
  constructor(
    readonly subscriptionId: string,
    readonly siteId: string,
  ) {
    super();
  }
}
