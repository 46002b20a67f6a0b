import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ReadModels, type Condition } from '@app/projections';
import type { ApprovalView } from '../approval-list/approval.view';
import { approvals } from '../approval-list/approvals.projection';
import { ListSettledApprovals } from './list-settled-approvals.query';

const PAGE = 200;
/** Habits change: what was decided before the newest two thousand says little about the next one, and ten pages take milliseconds. */
const MOST = 2_000;

const SETTLED: readonly Condition[] = [{ path: 'status', is: 'in', value: ['approved', 'rejected', 'expired'] }];

@QueryHandler(ListSettledApprovals)
export class ListSettledApprovalsHandler implements IQueryHandler<ListSettledApprovals> {
  constructor(private readonly reads: ReadModels) {}

  async execute({ siteId, minPosition }: ListSettledApprovals) {
    if (minPosition !== undefined) await this.reads.reached(approvals, minPosition);
    const rows: ApprovalView[] = [];
    let position = 0n;
    for (let cursor: string | null | undefined; cursor !== null && rows.length < MOST; ) {
      const sort = { field: 'decidedAt', direction: 'desc' } as const;
      const page = await this.reads.list(approvals, { siteId, where: SETTLED, sort, limit: PAGE, ...(cursor !== undefined && { cursor }) });
      rows.push(...page.rows);
      position = page.position;
      cursor = page.nextCursor;
    }
    return { rows, position };
  }
}
