import { Query } from '@app/kernel';
import type { StagedView } from './staged.view';

export type StagedFilter = {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly status: StagedView['status'];
  readonly runId?: string | undefined;
  readonly minPosition?: bigint | undefined;
  readonly now: Date;
};
export type StagedPage = { readonly rows: readonly StagedView[]; readonly nextCursor: string | null; readonly position: bigint };

/** The staged changes of a site, newest first; by default those that wait. */
export class ListStaged extends Query<StagedPage> {
  constructor(
    readonly siteId: string,
    readonly filter: StagedFilter,
  ) {
    super();
  }
}
