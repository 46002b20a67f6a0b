import { Query, type Outcome, type Recorded } from '@app/kernel';

export type RunEventsPage = { readonly rows: readonly Recorded[]; readonly nextCursor: string | null; readonly position: bigint };

/** Events of one run in order, straight from the log; `after` is a stream version. */
export class ListRunEvents extends Query<Outcome<RunEventsPage>> {
  constructor(
    readonly runId: string,
    readonly siteId: string,
    readonly page: { readonly limit: number; readonly after: number },
  ) {
    super();
  }
}
