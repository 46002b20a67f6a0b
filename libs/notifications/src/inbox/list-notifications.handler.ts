import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ReadModels } from '@app/projections';
import { KINDS } from '../notification.schema';
import { inbox } from './inbox.projection';
import { ListNotifications, type NotificationsPage } from './list-notifications.query';

@QueryHandler(ListNotifications)
export class ListNotificationsHandler implements IQueryHandler<ListNotifications> {
  constructor(private readonly reads: ReadModels) {}

  async execute({ siteId, page: { limit, cursor, kind, minPosition } }: ListNotifications): Promise<NotificationsPage> {
    if (minPosition !== undefined) await this.reads.reached(inbox, minPosition);
    const where = [{ path: 'kind', is: 'in' as const, value: kind === undefined ? [...KINDS] : [kind] }];
    const page = await this.reads.list(inbox, { siteId, where, sort: { field: 'at', direction: 'desc' }, limit, ...(cursor !== undefined && { cursor }) });
    return { ...page, rows: page.rows.map(({ notification }) => notification) };
  }
}
