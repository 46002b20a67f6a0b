export { CreatedGoal, CreateGoal, CreateGoalBody } from './create-goal/create-goal.command';
export { goalEvents } from './goal.events';
export { goals } from './goal-list/goals.projection';
export { GoalsModule } from './goals.module';
