import { Body, Controller, Param, Post } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, orProblem } from '@app/http';
import { AgentDecide, AgentDecideBody, AgentDecided } from './agent-decide.command';

@Controller('agent/approvals')
export class AgentDecideController {
  constructor(private readonly bus: Bus) {}

  /** The verdict of an agent's run. What may be reviewed depends on the run's role and key, not on the capability to decide. */
  @Post(':approvalId/agent-decide')
  @ApiAnswer(AgentDecided)
  async decide(@Param('approvalId') approvalId: string, @Body({ schema: AgentDecideBody }) body: AgentDecideBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new AgentDecide(approvalId, body, caller.principal, caller.context())));
  }
}
