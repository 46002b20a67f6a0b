import { Body, Controller, Param, Post } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, orProblem } from '@app/http';
import type { z } from 'zod';
import { CancelGoal, CancelGoalBody, CancelledGoal } from './cancel-goal/cancel-goal.command';
import { DecomposedGoal, DecomposeGoal, DecomposeGoalBody } from './decompose-goal/decompose-goal.command';
import { SettledGoal, SettleGoal } from './settle-goal/settle-goal.command';

/** What is done to a goal and its parts as a whole. */
@Controller('agent/goals')
export class GoalTreeController {
  constructor(private readonly bus: Bus) {}

  @Post(':goalId/decompose')
  @ApiAnswer(DecomposedGoal, { status: 201 })
  async decompose(@Param('goalId') goalId: string, @Body({ schema: DecomposeGoalBody }) body: DecomposeGoalBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new DecomposeGoal(goalId, body, caller.principal, caller.context())));
  }

  @Post(':goalId/settle')
  @ApiAnswer(SettledGoal)
  async settle(@Param('goalId') goalId: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new SettleGoal(goalId, caller.context)));
  }

  @Post(':goalId/cancel')
  @ApiAnswer(CancelledGoal)
  async cancel(@Param('goalId') goalId: string, @Body({ schema: CancelGoalBody }) { reason }: z.infer<typeof CancelGoalBody>, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new CancelGoal(goalId, reason, caller.principal, caller.context)));
  }
}
