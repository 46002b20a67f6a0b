import { Query, type Context } from '@app/kernel';
import type { CloudEvent } from '@app/nats/contract';
import type { AuditEventsFilter } from '../audit-events/list-audit-events.query';

export type AuditExport = { readonly events: AsyncIterable<CloudEvent>; readonly position: bigint };

/** Events of the caller's site behind `after`, oldest first, read as they are taken; `position` is where they end. */
export class ExportAuditEvents extends Query<AuditExport> {
  constructor(
    readonly filter: AuditEventsFilter,
    readonly context: Pick<Context, 'siteId'>,
    readonly after: bigint,
  ) {
    super();
  }
}
