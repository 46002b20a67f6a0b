import { Query } from '@app/kernel';
import { KINDS, type Notification } from '../notification.schema';

export type NotificationsPage = { readonly rows: readonly Notification[]; readonly nextCursor: string | null; readonly position: bigint };

/** The inbox of a site, newest first. */
export class ListNotifications extends Query<NotificationsPage> {
  constructor(
    readonly siteId: string,
    readonly page: { readonly limit: number; readonly cursor?: string | undefined; readonly kind?: (typeof KINDS)[number] | undefined; readonly minPosition?: bigint | undefined },
  ) {
    super();
  }
}
