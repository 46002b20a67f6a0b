export { goalEvents, type GoalEvent } from './goal.events';
export { ExpireGoal } from './expire-goal/expire-goal.command';
export { SettleGoal } from './settle-goal/settle-goal.command';
export { OpenGoal, type GoalWish, type Lineage } from './open-goal/open-goal.command';
export { ForkedRun, ForkRun, ForkRunBody } from './fork-run/fork-run.command';
export { RetriedRun, RetryRun } from './retry-run/retry-run.command';
export { goal, hasEnded, type Goal, type GoalStatus } from './goal.state';
