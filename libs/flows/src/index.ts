export { flowEvents } from './flow.events';
export { flows } from './flow-list/flows.projection';
export { FlowsModule } from './flows.module';
export { FlowSchedule, type FlowScheduleOptions } from './schedule/flow-schedule';
export { migrateFlows } from './schedule/flow-triggers';
