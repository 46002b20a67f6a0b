export type { Deadline, DeadlineChange, Fired } from './deadline';
export { Deadlines, type DeadlinesOptions } from './deadlines';
export { migrateDeadlines } from './migrate';
