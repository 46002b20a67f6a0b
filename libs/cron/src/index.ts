export { cronProblem, isTimeZone, nextRun } from './cron';
