import { Body, Controller, Param, Post } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, orProblem } from '@app/http';
import { ForkedRun, ForkRun, ForkRunBody } from './fork-run.command';

@Controller('agent/runs')
export class ForkRunController {
  constructor(private readonly bus: Bus) {}

  @Post(':runId/fork')
  @ApiAnswer(ForkedRun, { status: 201 })
  async fork(@Param('runId') runId: string, @Body({ schema: ForkRunBody }) body: ForkRunBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new ForkRun(runId, body, caller.principal, caller.context)));
  }
}
