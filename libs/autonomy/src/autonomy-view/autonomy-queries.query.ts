import { Query, type Outcome } from '@app/kernel';
import type { AutonomyView, LevelChangeView } from './grant.view';

/** Grants that count at `now`, by role and capability, from the log; open incidents from their list, which has reached `minPosition`. */
export class GetAutonomy extends Query<Outcome<AutonomyView>> {
  constructor(
    readonly siteId: string,
    readonly now: Date,
    readonly minPosition?: bigint,
  ) {
    super();
  }
}

/** Level changes, newest first. The cursor is the stream version of the last one. */
export class ListLevelChanges extends Query<{ readonly rows: readonly LevelChangeView[]; readonly nextCursor: string | null; readonly position: bigint }> {
  constructor(
    readonly siteId: string,
    readonly page: { readonly limit: number; readonly before?: number | undefined; readonly agentRole?: string | undefined; readonly capability?: string | undefined },
  ) {
    super();
  }
}
