import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAlsoAnswers, ApiAnswer, ApiList, Caller, listAnswer, ListQuery, MinPosition, orProblem } from '@app/http';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { GOAL_ORIGINS, GOAL_STATUSES } from '../goal.events';
import { GetGoal, ListGoals } from '../goal-list/goal-queries.query';
import { GoalView } from '../goal-list/goal.view';
import { CreatedGoal, CreateGoal, CreateGoalBody } from './create-goal.command';

const text = z.string().min(1).max(200).optional();
const GoalsQuery = ListQuery.omit({ sort: true }).extend({ status: z.enum(GOAL_STATUSES).optional(), origin: z.enum(GOAL_ORIGINS).optional(), agentRole: text, parentGoalId: text });

@Controller('agent/goals')
export class GoalsController {
  constructor(private readonly bus: Bus) {}

  @Post()
  @ApiAnswer(CreatedGoal, { status: 201 })
  @ApiAlsoAnswers(202, CreatedGoal, 'The run waits for a worker')
  async create(@Body({ schema: CreateGoalBody }) body: CreateGoalBody, @Caller() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    const created = orProblem(await this.bus.send(new CreateGoal(body, caller.principal, caller.context)));
    if (body.execution === 'async') reply.status(202);
    return created;
  }

  @Get()
  @ApiList(GoalView)
  async list(@Query({ schema: GoalsQuery }) query: z.infer<typeof GoalsQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() { siteId }: Caller) {
    return listAnswer(await this.bus.ask(new ListGoals(siteId, { ...query, minPosition })));
  }

  @Get(':goalId')
  @ApiAnswer(GoalView)
  async get(@Param('goalId') goalId: string, @Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new GetGoal(goalId, siteId)));
  }
}
