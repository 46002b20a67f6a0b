import { Module } from '@nestjs/common';
import { CancelGoalHandler } from './cancel-goal/cancel-goal.handler';
import { CreateGoalHandler } from './create-goal/create-goal.handler';
import { GoalsController } from './create-goal/goals.controller';
import { DecomposeGoalHandler } from './decompose-goal/decompose-goal.handler';
import { ExpireGoalHandler } from './expire-goal/expire-goal.handler';
import { GetGoalHandler, ListGoalsHandler } from './goal-list/goal-queries.handler';
import { GoalTreeController } from './goal-tree.controller';
import { OpenGoalHandler } from './open-goal/open-goal.handler';
import { SettleGoalHandler } from './settle-goal/settle-goal.handler';
import { StartGoalController } from './start-goal/start-goal.controller';
import { StartGoalHandler } from './start-goal/start-goal.handler';

@Module({
  controllers: [GoalsController, StartGoalController, GoalTreeController],
  providers: [CreateGoalHandler, OpenGoalHandler, StartGoalHandler, DecomposeGoalHandler, SettleGoalHandler, CancelGoalHandler, ExpireGoalHandler, GetGoalHandler, ListGoalsHandler],
})
export class GoalsModule {}
