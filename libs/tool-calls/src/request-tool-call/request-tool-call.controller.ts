import { Body, Controller, Param, Post } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { AcceptRunToken, ApiAnswer, Caller, orProblem } from '@app/http';
import { ToolCallAnswer } from '../tool-call-answer.view';
import { RequestToolCall, RequestToolCallBody } from './request-tool-call.command';

@Controller('agent/runs')
export class RequestToolCallController {
  constructor(private readonly bus: Bus) {}

  @Post(':runId/tool-calls')
  @AcceptRunToken()
  @ApiAnswer(ToolCallAnswer)
  async post(@Param('runId') runId: string, @Body({ schema: RequestToolCallBody }) body: RequestToolCallBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new RequestToolCall(runId, body, caller.principal, caller.context())));
  }
}
