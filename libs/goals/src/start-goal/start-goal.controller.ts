import { Body, Controller, Param, Post } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, orProblem } from '@app/http';
import { CreatedGoal } from '../create-goal/create-goal.command';
import { StartGoal, StartGoalBody } from './start-goal.command';

@Controller('agent/goals')
export class StartGoalController {
  constructor(private readonly bus: Bus) {}

  @Post(':goalId/start')
  @ApiAnswer(CreatedGoal, { status: 201 })
  async start(@Param('goalId') goalId: string, @Body({ schema: StartGoalBody }) body: StartGoalBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new StartGoal(goalId, body, caller.principal, caller.context())));
  }
}
