export * from './contract';
export { cronProblem, nextRun } from './cron';
