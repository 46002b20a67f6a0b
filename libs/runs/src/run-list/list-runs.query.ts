import { Query } from '@app/kernel';
import type { RunRow } from './run-row.view';

export type RunFilter = {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly status?: string | undefined;
  readonly goalId?: string | undefined;
  readonly agentRole?: string | undefined;
  readonly agentName?: string | undefined;
  readonly minPosition?: bigint | undefined;
};

export type RunPage = { readonly rows: readonly RunRow[]; readonly nextCursor: string | null; readonly position: bigint };

export class ListRuns extends Query<RunPage> {
  constructor(
    readonly siteId: string,
    readonly filter: RunFilter,
  ) {
    super();
  }
}
