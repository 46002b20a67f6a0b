import { NestFactory } from '@nestjs/core';
import { Bus } from '@app/cqrs';
import { Consumers, Leases } from '@app/event-store';
import { PgBossQueue } from '@app/queue';
import { coreSkills } from '@app/skills';
import { agentRuns } from '../../apps/worker/src/agent-runs';
import { approvalExpiry } from '../../apps/worker/src/approval-expiry';
import { readConfig } from '../../apps/gateway/src/config';
import { GatewayModule } from '../../apps/gateway/src/gateway.module';
import { openResources } from '../../apps/gateway/src/resources';
import { ADMIN_KEY, type TestServer } from './server';

/** Fixed, because a server and a worker beside it must have the same. */
export const MASTER_KEY = 'ab'.repeat(32);

/** What carries out timers, in the process of the test and by the clock of the test, on the database of a server that has no worker of its own. */
export const clockedWorker = async ({ databaseUrl, dataDir }: Pick<TestServer, 'databaseUrl' | 'dataDir'>, now: () => Date, withQueue = false) => {
  const config = readConfig({ DATABASE_URL: databaseUrl, HARNESS_DATA_DIR: dataDir, HARNESS_BOOTSTRAP_KEY: ADMIN_KEY, HARNESS_ROLES: 'worker', HARNESS_MASTER_KEY: MASTER_KEY });
  const resources = await openResources(config);
  const app = await NestFactory.createApplicationContext(GatewayModule.of(resources, config, coreSkills), { logger: false });
  const { pool, store, executor } = resources;
  const consumers = new Consumers(store, pool, new Leases(pool));
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const queue = withQueue ? new PgBossQueue({ db: pool, onError }) : null;
  const runs = agentRuns({ bus: app.get(Bus), executor, store, db: pool, consumers, queue, onError, now });
  const expiry = approvalExpiry({ db: pool, consumers, executor, onError, now });
  runs.start();
  expiry.start();
  return {
    errors, pool, queue, executor, bus: app.get(Bus),
    stop: async () => {
      await queue?.stop(1_000);
      await runs.stop();
      await expiry.stop();
      await consumers.stop();
      await app.close();
      await resources.close();
    },
  };
};
