import { Controller, Get, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiList, Caller, listAnswer, MinPosition, ReadQuery } from '@app/http';
import type { z } from 'zod';
import { feedbackOf } from './feedback.policy';
import { ApprovalFeedback, ApprovalStats } from './insight.view';
import { ListSettledApprovals } from './list-settled-approvals.query';
import { statsOf } from './stats.policy';

@Controller('agent/approvals')
export class ApprovalInsightController {
  constructor(private readonly bus: Bus) {}

  /** What reviewers changed and wrote, per role and tool. */
  @Get('feedback')
  @ApiList(ApprovalFeedback)
  async feedback(@Query({ schema: ReadQuery }) _query: z.infer<typeof ReadQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() { siteId }: Caller) {
    const { rows, position } = await this.bus.ask(new ListSettledApprovals(siteId, minPosition));
    return listAnswer({ rows: feedbackOf(rows), nextCursor: null, position });
  }

  /** How often and how fast people approve, per policy, and which rules would decide like them. */
  @Get('stats')
  @ApiList(ApprovalStats)
  async stats(@Query({ schema: ReadQuery }) _query: z.infer<typeof ReadQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() { siteId }: Caller) {
    const { rows, position } = await this.bus.ask(new ListSettledApprovals(siteId, minPosition));
    return listAnswer({ rows: statsOf(rows), nextCursor: null, position });
  }
}
