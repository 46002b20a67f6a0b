export { goalEvents, type GoalEvent } from './goal.events';
export { CancelledGoal } from './cancel-goal/cancel-goal.command';
export { DecomposedGoal, DecomposeGoalBody } from './decompose-goal/decompose-goal.command';
export { ExpireGoal } from './expire-goal/expire-goal.command';
export { SettledGoal, SettleGoal } from './settle-goal/settle-goal.command';
export { OpenGoal, type GoalWish, type Lineage } from './open-goal/open-goal.command';
export { RetryRun, type RetriedRun, type RetryStep } from './retry-run/retry-run.command';
export { goal, hasEnded, type Goal, type GoalStatus } from './goal.state';
export { GoalView } from './goal-list/goal.view';
