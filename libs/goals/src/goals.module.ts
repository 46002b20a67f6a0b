import { Module } from '@nestjs/common';
import { CancelGoalHandler } from './cancel-goal/cancel-goal.handler';
import { CreateGoalHandler } from './create-goal/create-goal.handler';
import { GoalsController } from './create-goal/goals.controller';
import { DecomposeGoalHandler } from './decompose-goal/decompose-goal.handler';
import { ExpireGoalHandler } from './expire-goal/expire-goal.handler';
import { ForkRunController } from './fork-run/fork-run.controller';
import { ForkRunHandler } from './fork-run/fork-run.handler';
import { GetGoalHandler, ListGoalsHandler } from './goal-list/goal-queries.handler';
import { GoalTreeController } from './goal-tree.controller';
import { OpenGoalHandler } from './open-goal/open-goal.handler';
import { RetryRunController } from './retry-run/retry-run.controller';
import { RetryRunHandler } from './retry-run/retry-run.handler';
import { SettleGoalHandler } from './settle-goal/settle-goal.handler';
import { StartGoalController } from './start-goal/start-goal.controller';
import { StartGoalHandler } from './start-goal/start-goal.handler';

@Module({
  controllers: [GoalsController, StartGoalController, GoalTreeController, RetryRunController, ForkRunController],
  providers: [CreateGoalHandler, OpenGoalHandler, StartGoalHandler, DecomposeGoalHandler, SettleGoalHandler, CancelGoalHandler, ExpireGoalHandler, RetryRunHandler, ForkRunHandler, GetGoalHandler, ListGoalsHandler],
})
export class GoalsModule {}
