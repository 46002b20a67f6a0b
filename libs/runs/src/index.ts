export { runEvents } from './run.events';
export { runs } from './run-list/runs.projection';
export { RunsModule } from './runs.module';
