export { CallOffers } from './call-offers';
export { migrateToolWorker } from './migrate';
export { NatsOffers } from './nats-offers';
export { ToolWorkerModule } from './tool-worker.module';
export { WorkerTools } from './worker-tools';
export { WorkerRpcController } from './worker-rpc.controller';
export { workerRpc } from './worker-rpc';
