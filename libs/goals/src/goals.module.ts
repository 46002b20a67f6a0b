import { Module } from '@nestjs/common';
import { CreateGoalHandler } from './create-goal/create-goal.handler';
import { GoalsController } from './create-goal/goals.controller';
import { GetGoalHandler, ListGoalsHandler } from './goal-list/goal-queries.handler';

@Module({ controllers: [GoalsController], providers: [CreateGoalHandler, GetGoalHandler, ListGoalsHandler] })
export class GoalsModule {}
