import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { startPostgres } from './embedded-postgres';
import { ask, Embedded, postmasterOf } from './testing/embedded';

const asRoot = process.getuid?.() === 0;

describe('The data directory of an embedded PostgreSQL', () => {
  let embedded: Embedded;
  beforeAll(async () => {
    embedded = await Embedded.withTemplate();
  });
  afterEach(() => embedded.cleanUp());
  afterAll(() => embedded.remove());

  describe('is refused with a sentence that names it', () => {
    it('while another server holds the data directory', async () => {
      const dataDir = embedded.dataDirectory();
      const first = await embedded.start({ dataDir, disposable: true });
      await expect(startPostgres({ dataDir, disposable: true })).rejects.toMatchObject({
        failure: 'in-use',
        message: expect.stringContaining(`The data directory ${dataDir} is in use by the running process ${process.pid}`),
      });
      expect(await ask(first, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });

    it('on data of another PostgreSQL major', async () => {
      const dataDir = embedded.dataDirectory();
      await (await embedded.start({ dataDir, disposable: true })).stop();
      writeFileSync(join(dataDir, 'postgres/cluster/PG_VERSION'), '17\n');
      await expect(startPostgres({ dataDir, disposable: true })).rejects.toMatchObject({
        failure: 'other-version',
        message: expect.stringContaining(
          `The data in ${dataDir}/postgres/cluster belongs to PostgreSQL 17; this program brings PostgreSQL 18`,
        ),
      });
    });

    it('where no directory can be', async () => {
      const dataDir = embedded.emptyDirectory();
      writeFileSync(join(dataDir, 'file'), '');
      await expect(startPostgres({ dataDir: join(dataDir, 'file/data') })).rejects.toMatchObject({
        failure: 'not-accessible',
        message: expect.stringContaining(`The data directory ${dataDir}/file/data cannot be used`),
      });
    });

    it('with settings that PostgreSQL does not know, and shows its log', async () => {
      const dataDir = embedded.dataDirectory();
      await expect(startPostgres({ dataDir, disposable: true, settings: { no_such_setting: 'on' } })).rejects.toMatchObject({
        failure: 'failed',
        message: expect.stringContaining('unrecognized configuration parameter "no_such_setting"'),
      });
      expect(await ask(await embedded.start({ dataDir, disposable: true }), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });
  });

  it('may have a path with spaces, quotes and more letters than a socket address can hold', async () => {
    const parent = embedded.emptyDirectory();
    chmodSync(parent, 0o711);
    const dataDir = join(parent, `it's "my" data, ${'x'.repeat(100)}`);
    const server = await embedded.start({ dataDir, disposable: true });
    embedded.afterwards(() => rmSync(server.host, { recursive: true, force: true }));
    expect(await ask(server, 'SHOW data_directory')).toEqual([{ data_directory: join(dataDir, 'postgres/cluster') }]);
    expect(dirname(server.host)).toBe(tmpdir());
    expect(statSync(server.host).mode & 0o777).toBe(0o700);
  });

  it('[SETUP-016] belongs to an unprivileged account, under which the server runs when root starts it', async () => {
    const dataDir = embedded.dataDirectory();
    await embedded.start({ dataDir, disposable: true });
    const status = readFileSync(`/proc/${postmasterOf(dataDir)}/status`, 'utf8');
    const uid = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]);
    expect(uid).not.toBe(0);
    expect(uid === userInfo().uid).toBe(!asRoot);
    for (const path of ['postgres', 'postgres/cluster']) expect(statSync(join(dataDir, path))).toMatchObject({ uid, mode: 0o40700 });
    expect(statSync(join(dataDir, 'postgres/.s.PGSQL.5432')).mode & 0o777).toBe(0o700);
  });

  it('is served without the secrets in the environment of the server', async () => {
    const dataDir = embedded.dataDirectory();
    process.env['HARNESS_MASTER_KEY'] = 'do-not-tell';
    embedded.afterwards(() => delete process.env['HARNESS_MASTER_KEY']);
    await embedded.start({ dataDir, disposable: true });
    const environment = readFileSync(`/proc/${postmasterOf(dataDir)}/environ`, 'utf8');
    expect(environment).toContain('LC_ALL=C');
    expect(environment).not.toContain('do-not-tell');
  });

  it('may lie below a folder that only its owner may enter', async () => {
    const closed = embedded.emptyDirectory();
    chmodSync(closed, 0o700);
    const dataDir = join(closed, 'data');
    mkdirSync(dataDir);
    const first = await embedded.start({ dataDir, disposable: true });
    const home = lstatSync(join(dataDir, 'postgres')).isSymbolicLink()
      ? readlinkSync(join(dataDir, 'postgres'))
      : join(dataDir, 'postgres');
    embedded.afterwards(() => rmSync(home, { recursive: true, force: true }));
    expect(home.startsWith('/var/lib/agent-harness/')).toBe(asRoot);
    await ask(first, 'CREATE TABLE facts AS SELECT 1 AS id');
    await first.stop();
    const second = await embedded.start({ dataDir, disposable: true });
    expect(await ask(second, 'SELECT id FROM facts')).toEqual([{ id: 1 }]);
    await second.stop();

    if (!asRoot) return;
    rmSync(home, { recursive: true });
    await expect(startPostgres({ dataDir })).rejects.toMatchObject({
      failure: 'not-accessible',
      message: expect.stringContaining(dataDir),
    });
    expect(readdirSync(dataDir)).toEqual(['postgres']);
  });
});
