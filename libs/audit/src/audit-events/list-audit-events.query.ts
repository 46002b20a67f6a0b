import { Query, type Context } from '@app/kernel';
import { z } from 'zod';
import type { AuditEventView } from './audit-event.view';

const text = z.string().min(1).max(512);
const list = z.string().min(1).max(4_096).transform((names) => names.split(',').map((name) => name.trim()).filter((name) => name !== ''));
const instant = z.iso.datetime({ offset: true });

/** Every given condition must hold. `type` takes one or several, with commas. `actor` is the id of a principal. `from` is included, `to` is not. */
export const AuditEventsFilter = z.strictObject({
  streamId: text.optional(),
  category: text.optional(),
  type: list.optional(),
  actor: text.optional(),
  from: instant.optional(),
  to: instant.optional(),
});
export type AuditEventsFilter = Readonly<z.infer<typeof AuditEventsFilter>>;

export type AuditEventsPage = { readonly rows: readonly AuditEventView[]; readonly nextCursor: string | null; readonly position: bigint };

/** Events of the caller's site, newest first unless `oldestFirst`. `minPosition`: what the list must have seen. */
export class ListAuditEvents extends Query<AuditEventsPage> {
  constructor(
    readonly filter: AuditEventsFilter,
    readonly context: Pick<Context, 'siteId'>,
    readonly page: {
      readonly limit: number;
      readonly cursor?: string | undefined;
      readonly oldestFirst?: boolean;
      readonly minPosition?: bigint | undefined;
    },
  ) {
    super();
  }
}
