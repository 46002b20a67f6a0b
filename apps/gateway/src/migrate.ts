import { Client } from 'pg';
import { migrateCdc } from '@app/cdc';
import { schemaOnce, type Connection } from '@app/database';
import { migrateLog } from '@app/event-store';
import { migrateFlows } from '@app/flows';
import { migrateHttp } from '@app/http';
import { migrateLiveness } from '@app/liveness';
import { migrateLoadGuard } from '@app/load-guard';
import { migrateNotifications } from '@app/notifications';
import { migrateObservability } from '@app/observability';
import { migrateProjections } from '@app/projections';
import { migrateDeadlines } from '@app/scheduler';
import { migrateKeyUsage } from '@app/sites';
import { migrateToolWorker } from '@app/tool-worker';
import { migrateVault } from '@app/vault';

const CONNECT_MS = 10_000;
const MIGRATING = 'SELECT pg_advisory_lock(4411305720261131)';
const SHAPES = [
  migrateProjections, migrateHttp, migrateKeyUsage, migrateDeadlines, migrateFlows, migrateLoadGuard, migrateLiveness, migrateObservability, migrateVault, migrateToolWorker, migrateCdc,
  migrateNotifications,
];

/** Brings the tables of every library up to this version. Each start does it; on a database that is up to date it holds up nobody who works. */
export const migrate = async (connection: Connection) => {
  const client = new Client({ ...connection, connectionTimeoutMillis: CONNECT_MS });
  try {
    await client.connect();
    // Processes that start at the same moment take turns; the lock ends with the session.
    await client.query(MIGRATING);
    await migrateLog(client);
    const once = await schemaOnce(client);
    for (const shape of SHAPES) await shape(once);
  } finally {
    await client.end();
  }
};
