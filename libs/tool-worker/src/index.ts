export { migrateToolWorker } from './migrate';
export { ToolWorkerModule } from './tool-worker.module';
export { WorkerTools } from './worker-tools';
