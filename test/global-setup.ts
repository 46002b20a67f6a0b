import { execFile } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { startPostgres } from '../libs/database/src/embedded-postgres';
import { migrateLog } from '../libs/event-store/src/postgres/migrate';
import { compiled } from './e2e/compiled';

const run = promisify(execFile);

/**
 * One server per run with two templates, one of a bare log and one that a server of the product has migrated; each spec file clones one of them.
 * With TEST_DATA_DIR the cluster is kept for the next run.
 */
export default async () => {
  const dataDir = process.env['TEST_DATA_DIR'] ?? join(tmpdir(), `harness-test-postgres-${process.pid}`);
  mkdirSync(dataDir, { recursive: true });
  const server = await startPostgres({ dataDir, disposable: true });
  const admin = new Client({ host: server.host, port: server.port, user: server.user, database: 'postgres' });
  await admin.connect();
  const { rows } = await admin.query<{ datname: string }>(`SELECT datname FROM pg_database WHERE datname ~ '^(test_|template_)'`);
  for (const { datname } of rows) await admin.query(`DROP DATABASE "${datname}" WITH (FORCE)`);
  await admin.query('CREATE DATABASE template_app');
  const template = new Client({ host: server.host, port: server.port, user: server.user, database: 'template_app' });
  await template.connect();
  await migrateLog(template);
  await template.end();
  delete process.env['E2E_BUILT'];
  const built = await compiled();
  process.env['E2E_BUILT'] = built;
  await admin.query('CREATE DATABASE template_server TEMPLATE template_app');
  await admin.end();
  // In a process of its own, which gives back the memory of the whole product.
  await run(process.execPath, [join(import.meta.dirname, 'e2e/migrate-template.mjs'), built, JSON.stringify({ host: server.host, port: server.port, user: server.user, database: 'template_server' })]);
  process.env['TEST_DATABASE'] = JSON.stringify({ host: server.host, port: server.port, user: server.user });
  (globalThis as { stopPostgres?: () => Promise<void> }).stopPostgres = async () => {
    await server.stop();
    if (!process.env['TEST_DATA_DIR']) rmSync(dataDir, { recursive: true, force: true });
  };
};
