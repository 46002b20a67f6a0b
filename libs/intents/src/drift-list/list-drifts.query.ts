import { Query, type Outcome } from '@app/kernel';
import type { DRIFT_STATUSES, DriftView } from './drift.view';

export type DriftFilter = {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly status?: (typeof DRIFT_STATUSES)[number] | undefined;
  readonly minPosition?: bigint | undefined;
};
export type DriftPage = { readonly rows: readonly DriftView[]; readonly nextCursor: string | null; readonly position: bigint };

export class ListDrifts extends Query<Outcome<DriftPage>> {
  constructor(
    readonly intentId: string,
    readonly siteId: string,
    readonly filter: DriftFilter,
  ) {
    super();
  }
}
