import { Query, type Context, type Outcome } from '@app/kernel';
import type { ApprovalDetail, ApprovalView } from './approval.view';

export type ApprovalFilter = {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly status?: string | undefined;
  readonly runId?: string | undefined;
  readonly domain?: string | undefined;
  readonly kind?: string | undefined;
  readonly agentRole?: string | undefined;
  readonly capability?: string | undefined;
  readonly decidedByKind?: string | undefined;
  readonly minPosition?: bigint | undefined;
};
export type ApprovalPage = { readonly rows: readonly ApprovalView[]; readonly nextCursor: string | null; readonly position: bigint };

export class ListApprovals extends Query<ApprovalPage> {
  constructor(
    readonly siteId: string,
    readonly filter: ApprovalFilter,
  ) {
    super();
  }
}

/** One approval, answered from the log itself, with what its action would change now. */
export class GetApproval extends Query<Outcome<ApprovalDetail>> {
  constructor(
    readonly approvalId: string,
    readonly context: Context,
  ) {
    super();
  }
}
