import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Bus } from '@app/cqrs';
import { EventStore } from '@app/event-store';
import { missing, type Outcome, type Recorded } from '@app/kernel';
import { equalTo, project, ReadModels } from '@app/projections';
import { PreviewToolCall } from '@app/tool-calls/contract';
import type { ApprovalEvent } from '../approval.events';
import { GetApproval, ListApprovals } from './approval-queries.query';
import type { ApprovalDetail, ApprovalView } from './approval.view';
import { approvals } from './approvals.projection';

@QueryHandler(ListApprovals)
export class ListApprovalsHandler implements IQueryHandler<ListApprovals> {
  constructor(private readonly reads: ReadModels) {}

  async execute({ siteId, filter: { limit, cursor, minPosition, ...equal } }: ListApprovals) {
    if (minPosition !== undefined) await this.reads.reached(approvals, minPosition);
    const page = await this.reads.list(approvals, { siteId, limit, where: equalTo(equal), ...(cursor !== undefined && { cursor }) });
    return { ...page, rows: page.rows.map(({ position: _position, ...row }) => row) };
  }
}

@QueryHandler(GetApproval)
export class GetApprovalHandler implements IQueryHandler<GetApproval> {
  constructor(
    private readonly store: EventStore,
    private readonly bus: Bus,
  ) {}

  /** The view is the read model's own function applied to the stream, so both can never tell different stories. */
  async execute({ approvalId, context }: GetApproval): Promise<Outcome<ApprovalDetail>> {
    let row: ApprovalView | null = null;
    let position = 0n;
    for await (const event of this.store.read(`approval-${approvalId}`)) {
      if (event.siteId !== context.siteId) return missing();
      row = project(approvals, row, event as Recorded<ApprovalEvent>, approvalId);
      position = event.position;
    }
    if (!row) return missing();
    const diff = row.tool === null ? [] : await this.bus.ask(new PreviewToolCall(row.tool, row.approvedArguments ?? row.arguments, { ...context, actor: { ...context.actor, id: row.requestedBy } }));
    return { ok: true, data: { ...row, diff: diff as ApprovalDetail['diff'] }, position };
  }
}
