import { Query } from '@app/kernel';
import type { ApprovalView } from '../approval-list/approval.view';

/** The newest approvals that came to an end by a decision or by time, newest first; at most two thousand. */
export class ListSettledApprovals extends Query<{ readonly rows: readonly ApprovalView[]; readonly position: bigint }> {
  constructor(
    readonly siteId: string,
    readonly minPosition: bigint | undefined,
  ) {
    super();
  }
}
