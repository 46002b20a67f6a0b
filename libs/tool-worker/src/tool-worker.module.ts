import { Global, Logger, Module } from '@nestjs/common';
import { Pool } from 'pg';
import { Vault } from '@app/vault';
import { Boxes } from './boxes';
import { CallOffers } from './call-offers';
import { CallWatch } from './call-watch';
import { WorkerCallTable } from './worker-call-table';
import { WorkerDesk } from './worker-desk';
import { WorkerTools } from './worker-tools';
import { WorkerController } from './worker.controller';

const onError = (error: unknown) => new Logger('WorkerTools').warn(`The calls of workers were not looked at: ${String(error)}`);

/** Global, because the app that composes the handlers of all kinds needs `WorkerTools`. */
@Global()
@Module({
  controllers: [WorkerController],
  providers: [
    WorkerDesk,
    { provide: WorkerCallTable, inject: [Pool], useFactory: (pool: Pool) => new WorkerCallTable(pool) },
    { provide: CallWatch, inject: [WorkerCallTable], useFactory: (table: WorkerCallTable) => new CallWatch({ table, onError }) },
    { provide: Boxes, inject: [Vault], useFactory: (vault: Vault) => new Boxes(vault) },
    {
      provide: WorkerTools, inject: [WorkerCallTable, CallWatch, Boxes, { token: CallOffers, optional: true }],
      useFactory: (table: WorkerCallTable, watch: CallWatch, boxes: Boxes, offers?: CallOffers) => new WorkerTools({ table, watch, boxes, offers, onError }),
    },
  ],
  exports: [WorkerTools, WorkerDesk],
})
export class ToolWorkerModule {}
