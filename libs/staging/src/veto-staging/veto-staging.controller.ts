import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, orProblem, RequireRole } from '@app/http';
import { StagedView } from '../staged-list/staged.view';
import { VetoStaging, VetoStagingBody } from './veto-staging.command';

@Controller('agent/staged')
export class VetoStagingController {
  constructor(private readonly bus: Bus) {}

  @Post(':stagingId/veto')
  @HttpCode(200)
  @RequireRole('admin', 'veto')
  @ApiAnswer(StagedView, { description: 'The change is discarded; the live item was never touched' })
  async post(@Param('stagingId') stagingId: string, @Body({ schema: VetoStagingBody }) body: VetoStagingBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new VetoStaging(stagingId, body, caller.context())));
  }
}
