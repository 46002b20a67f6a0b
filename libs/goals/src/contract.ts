export { goalEvents, type GoalEvent } from './goal.events';
export { goal, hasEnded, type Goal, type GoalStatus } from './goal.state';
