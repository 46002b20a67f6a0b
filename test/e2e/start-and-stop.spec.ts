import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { listeningAddresses, processesIn } from './machine';
import { Processes, type ReadyProcess } from './processes';
import { apiAt, type Body } from './server';

const shownKey = (server: ReadyProcess) => /hk_\S+/.exec(server.output())?.[0];
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
    expect(readdirSync(join(folder, '.harness')).sort()).toEqual(['audit', 'harness.lock', 'postgres', 'vault']);
    expect(existsSync(join(folder, '.harness/postgres/cluster/PG_VERSION'))).toBe(true);
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
  });
});
