import { Query, type Outcome, type Principal } from '@app/kernel';
import type { ToolView } from '../tool-list/tool.view';

/** The tools a model on this run is shown: what the run does not hold is not in the list at all. */
export class ListRunTools extends Query<Outcome<{ readonly rows: readonly ToolView[]; readonly nextCursor: string | null; readonly position: bigint }>> {
  constructor(
    readonly runId: string,
    readonly principal: Principal,
    readonly siteId: string,
    readonly now: Date,
    readonly page: { readonly limit: number; readonly cursor?: string | undefined },
  ) {
    super();
  }
}
