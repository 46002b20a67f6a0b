import { Body, Controller, Param, Post } from '@nestjs/common';
import { reviewerOf } from '@app/approvals/contract';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, orProblem, RequireCapability } from '@app/http';
import { ToolCallAnswer } from '../tool-call-answer.view';
import { ResolveCall, ResolveCallBody } from './resolve-call.command';

@Controller('agent/runs')
export class ResolveCallController {
  constructor(private readonly bus: Bus) {}

  @Post(':runId/tool-calls/:callId/resolve')
  @RequireCapability('approvals:decide')
  @ApiAnswer(ToolCallAnswer)
  async post(@Param('runId') runId: string, @Param('callId') callId: string, @Body({ schema: ResolveCallBody }) body: ResolveCallBody, @Caller() caller: Caller) {
    const context = caller.context();
    return orProblem(await this.bus.send(new ResolveCall(runId, callId, body, context, reviewerOf(caller.principal, context.actor))));
  }
}
