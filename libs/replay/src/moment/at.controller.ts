import { Controller, Get, Param, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, orProblem, RequireCapability } from '@app/http';
import { GetApprovalAt, GetAutonomyAt, GetGovernanceAt, GetRunAt, GetStreamAt } from './at.query';
import { ApprovalAtView, AutonomyAtView, GovernanceAtView, RunAtView, StreamAtView } from './at.view';
import { momentOf, MomentParams } from './moment-params';

/** The past. Each route takes one moment: `position`, `time`, or `version` of the stream. */
@Controller('agent')
@RequireCapability('audit:read')
export class AtController {
  constructor(private readonly bus: Bus) {}

  @Get('runs/:runId/at')
  @ApiAnswer(RunAtView)
  async run(@Param('runId') runId: string, @Query({ schema: MomentParams }) moment: MomentParams, @Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new GetRunAt(runId, siteId, momentOf(moment))));
  }

  @Get('approvals/:approvalId/at')
  @ApiAnswer(ApprovalAtView)
  async approval(@Param('approvalId') approvalId: string, @Query({ schema: MomentParams }) moment: MomentParams, @Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new GetApprovalAt(approvalId, siteId, momentOf(moment))));
  }

  @Get('autonomy/at')
  @ApiAnswer(AutonomyAtView)
  async autonomy(@Query({ schema: MomentParams }) moment: MomentParams, @Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new GetAutonomyAt(siteId, momentOf(moment))));
  }

  @Get('replay/governance')
  @ApiAnswer(GovernanceAtView)
  async governance(@Query({ schema: MomentParams }) moment: MomentParams, @Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new GetGovernanceAt(siteId, momentOf(moment))));
  }

  @Get('replay/streams/:streamId')
  @ApiAnswer(StreamAtView)
  async stream(@Param('streamId') streamId: string, @Query({ schema: MomentParams }) moment: MomentParams, @Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new GetStreamAt(streamId, siteId, momentOf(moment))));
  }
}
