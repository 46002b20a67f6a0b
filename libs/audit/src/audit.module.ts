import { Module, type DynamicModule } from '@nestjs/common';
import { Pool } from 'pg';
import { join } from 'node:path';
import { CheckpointFile, CheckpointSigner, SigningKey } from '@app/event-store';
import { Clock } from '@app/http';
import { AuditCheckpointsController } from './audit-checkpoints/audit-checkpoints.controller';
import { ListCheckpointsHandler } from './audit-checkpoints/list-checkpoints.handler';
import { SignCheckpointHandler } from './audit-checkpoints/sign-checkpoint.handler';
import { AuditEventsController } from './audit-events/audit-events.controller';
import { ListAuditEventsHandler } from './audit-events/list-audit-events.handler';
import { AuditExportController } from './audit-export/audit-export.controller';
import { ExportAuditEventsHandler } from './audit-export/export-audit-events.handler';
import { AuditProofController } from './audit-proof/audit-proof.controller';
import { GetProofHandler } from './audit-proof/get-proof.handler';
import { AuditStreamController } from './audit-stream/audit-stream.controller';
import { VerifyLogController } from './verify-log/verify-log.controller';
import { VerifyLogHandler } from './verify-log/verify-log.handler';

export type AuditOptions = {
  /** The signing key and `checkpoints.ndjson` are in `audit` below it. */
  readonly dataDir: string;
};

/**
 * The audit of the log. The application provides `Pool`, `EventStore`, `ReadModels`, `Clock`, `Draining` and `Bus`. Signing on a schedule is
 * the worker's; the signer here signs when a proof is asked for before that.
 */
@Module({})
export class AuditModule {
  static register({ dataDir }: AuditOptions): DynamicModule {
    const directory = join(dataDir, 'audit');
    return {
      module: AuditModule,
      controllers: [AuditEventsController, AuditProofController, AuditCheckpointsController, VerifyLogController, AuditStreamController, AuditExportController],
      providers: [
        { provide: SigningKey, useFactory: () => SigningKey.of(directory) },
        { provide: CheckpointFile, useValue: new CheckpointFile(directory) },
        {
          provide: CheckpointSigner,
          inject: [Pool, SigningKey, CheckpointFile, Clock],
          useFactory: (pool: Pool, key: SigningKey, file: CheckpointFile, clock: Clock) =>
            new CheckpointSigner({ pool, key, file, now: () => clock.now() }),
        },
        ListAuditEventsHandler, GetProofHandler, ListCheckpointsHandler, SignCheckpointHandler, ExportAuditEventsHandler, VerifyLogHandler,
      ],
    };
  }
}
