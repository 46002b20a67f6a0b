import { Body, Controller, Param, Post } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { AcceptRunToken, ApiAnswer, Caller, orProblem } from '@app/http';
import { ToolCallAnswer } from '../tool-call-answer.view';
import { ReportOutcome, ReportOutcomeBody } from './report-outcome.command';

@Controller('agent/runs')
export class ReportOutcomeController {
  constructor(private readonly bus: Bus) {}

  @Post(':runId/tool-calls/:callId/outcome')
  @AcceptRunToken()
  @ApiAnswer(ToolCallAnswer)
  async post(@Param('runId') runId: string, @Param('callId') callId: string, @Body({ schema: ReportOutcomeBody }) body: ReportOutcomeBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new ReportOutcome(runId, callId, body, caller.principal, caller.context())));
  }
}
