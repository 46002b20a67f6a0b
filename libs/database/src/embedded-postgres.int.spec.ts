import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { ask, Embedded, postmasterOf } from './testing/embedded';

describe('Embedded PostgreSQL', () => {
  let embedded: Embedded;
  beforeAll(async () => {
    embedded = await Embedded.withTemplate();
  });
  afterEach(() => embedded.cleanUp());
  afterAll(() => embedded.remove());

  const log = (dataDir: string) => readFileSync(join(dataDir, 'postgres/postgres.log'), 'utf8');
  /** The state in the cluster's control file: 1 after a clean stop, 6 in production. */
  const controlState = (dataDir: string) => readFileSync(join(dataDir, 'postgres/cluster/global/pg_control')).readInt32LE(16);

  it('is a real PostgreSQL 18 inside the data directory, on a socket and on no port', async () => {
    const dataDir = embedded.emptyDirectory();
    const server = await embedded.start({ dataDir });
    expect(await ask(server, 'SHOW server_version')).toEqual([{ server_version: expect.stringMatching(/^18\./) }]);
    expect(await ask(server, 'SHOW data_directory')).toEqual([{ data_directory: join(dataDir, 'postgres/cluster') }]);
    expect(await ask(server, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }]);
    expect(server.host).toBe(join(dataDir, 'postgres'));
  });

  it('keeps acknowledged commits on disk: nothing that makes them durable is switched off', async () => {
    const server = await embedded.start({ dataDir: embedded.dataDirectory() });
    const rows = await ask(
      server,
      `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums')`,
    );
    expect(rows).toHaveLength(4);
    expect(rows).toEqual(rows.map((row) => ({ ...row, setting: 'on' })));
  });

  it('[SETUP-012] has all its data after a clean stop and a second start', async () => {
    const dataDir = embedded.dataDirectory();
    const first = await embedded.start({ dataDir });
    await ask(first, 'CREATE TABLE facts AS SELECT n, md5(n::text) AS digest FROM generate_series(1, 20000) AS n');
    const before = await ask(first, 'SELECT count(*), md5(string_agg(digest, $1 ORDER BY n)) FROM facts', [',']);
    await first.stop();
    const second = await embedded.start({ dataDir });
    expect(await ask(second, 'SELECT count(*), md5(string_agg(digest, $1 ORDER BY n)) FROM facts', [','])).toEqual(before);
    expect(before).toMatchObject([{ count: '20000' }]);
  });

  it('leaves nothing to recover after a stop, even with a session open', async () => {
    const dataDir = embedded.dataDirectory();
    const server = await embedded.start({ dataDir });
    const client = new Client({ host: server.host, port: server.port, user: server.user, database: 'postgres' });
    const ended = new Promise((done) => client.once('end', done));
    client.on('error', () => undefined);
    await client.connect();
    await client.query('CREATE TABLE facts (id int)');
    await client.query('BEGIN');
    await client.query('INSERT INTO facts VALUES (1)');
    await server.stop();
    await ended;
    expect(controlState(dataDir)).toBe(1);
    const again = await embedded.start({ dataDir });
    expect(controlState(dataDir)).toBe(6);
    expect(log(dataDir)).toContain('database system was shut down at');
    expect(log(dataDir)).not.toMatch(/automatic recovery|was interrupted/);
    expect(await ask(again, 'SELECT id FROM facts')).toEqual([]);
  });

  it('recovers every committed row after kill -9 of the database', async () => {
    const dataDir = embedded.dataDirectory();
    const first = await embedded.start({ dataDir });
    await ask(first, 'CREATE TABLE facts (id int)');
    for (let id = 1; id <= 20; id++) await ask(first, 'INSERT INTO facts VALUES ($1)', [id]);
    process.kill(postmasterOf(dataDir), 'SIGKILL');
    await first.stop();
    const second = await embedded.start({ dataDir });
    expect(log(dataDir)).toContain('automatic recovery in progress');
    expect(await ask(second, 'SELECT id FROM facts ORDER BY id')).toEqual(Array.from({ length: 20 }, (_, n) => ({ id: n + 1 })));
  });

  it('starts although the pid files of a killed server name a process that is somebody else by now', async () => {
    const dataDir = embedded.dataDirectory();
    const first = await embedded.start({ dataDir, disposable: true });
    const files = ['postgres/cluster/postmaster.pid', 'postgres/.s.PGSQL.5432.lock'].map((file) => join(dataDir, file));
    const texts = files.map((file) => readFileSync(file, 'utf8'));
    await first.stop();
    for (const [n, file] of files.entries()) writeFileSync(file, texts[n]!.replace(/^\d+/, String(process.ppid)));
    const second = await embedded.start({ dataDir, disposable: true });
    expect(postmasterOf(dataDir)).not.toBe(process.ppid);
    expect(await ask(second, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  describe('in a data directory whose server process was killed while the database ran on', () => {
    const orphan = async (settings = {}) => {
      const dataDir = embedded.dataDirectory();
      const server = await embedded.start({ dataDir, disposable: true, settings });
      rmSync(join(dataDir, 'harness.lock'));
      return { dataDir, server };
    };

    it('takes the running database over', async () => {
      const { dataDir } = await orphan();
      const running = postmasterOf(dataDir);
      const second = await embedded.start({ dataDir, disposable: true });
      expect(postmasterOf(dataDir)).toBe(running);
      expect(await ask(second, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });

    it('restarts it when it runs with other settings', async () => {
      const { dataDir } = await orphan({ work_mem: '1MB' });
      const second = await embedded.start({ dataDir, disposable: true, settings: { work_mem: '2MB' } });
      expect(await ask(second, 'SHOW work_mem')).toEqual([{ work_mem: '2MB' }]);
    });
  });
});
