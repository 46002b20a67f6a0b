export { deadlineCommand, type Deadline, type DeadlineChange, type Fired } from './deadline';
export { DeadlineTable } from './deadline-table';
export { Deadlines, type DeadlinesOptions } from './deadlines';
export { migrateDeadlines } from './migrate';
