import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { Connection } from '@app/database';
import { CheckpointFile, CheckpointSigner, SigningKey, type EventStore } from '@app/event-store';
import { ProjectionsRuntime, type AnyProjection, type ProjectionProgress } from '@app/projections';
import type { Pool } from 'pg';

export type WorkerOptions = {
  readonly connection: Connection;
  readonly pool: Pool;
  readonly store: EventStore;
  readonly projections: readonly AnyProjection[];
  readonly progress: ProjectionProgress;
  readonly dataDir: string;
};

/** What follows the log: read models, and the signing of its chain head. Several processes may run it; leases decide who leads. */
export const startWorker = async ({ connection, pool, store, projections, progress, dataDir }: WorkerOptions) => {
  const log = new Logger('Worker');
  const runtime = new ProjectionsRuntime({
    connection, store, projections, progress,
    onAlarm: ({ projection, position, error }) => log.error(`Read model ${projection} stopped at position ${position}: ${error}`),
    onError: (error) => log.warn(`Read models: ${String(error)}`),
  });
  await runtime.start();
  const directory = join(dataDir, 'audit');
  const unsigned = (error: unknown) => log.error(`The chain head was not signed: ${String(error)}`);
  const signer = new CheckpointSigner({ pool, key: await SigningKey.of(directory), file: new CheckpointFile(directory), onError: unsigned });
  signer.start();
  return {
    stop: async () => {
      await runtime.stop();
      // A database that is away does not hold up the stop; the next start signs.
      await signer.stop().catch(unsigned);
    },
  };
};
