import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, orProblem, RequireCapability } from '@app/http';
import { StagedView } from '../staged-list/staged.view';
import { CommitStagingNow } from './commit-staging.command';

@Controller('agent/staged')
export class CommitStagingController {
  constructor(private readonly bus: Bus) {}

  @Post(':stagingId/commit-now')
  @HttpCode(200)
  @RequireCapability('approvals:decide')
  @ApiAnswer(StagedView, { description: 'The change is live, before its window has closed' })
  async post(@Param('stagingId') stagingId: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new CommitStagingNow(stagingId, caller.context())));
  }
}
