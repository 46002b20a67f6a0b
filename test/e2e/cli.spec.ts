import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEMO_PRODUCTS } from '@app/sdk';
import { serverDatabase } from '../database';
import { builtCheckout, CommandLine } from './command-line';
import { eventually } from './eventually';
import { Processes, urlOf } from './processes';
import { ADMIN_KEY, testServer, type Body, type TestServer } from './server';

describe('The command line at a working server', () => {
  const processes = new Processes();
  let server: TestServer;
  let line: CommandLine;

  beforeAll(async () => {
    server = await testServer({ HARNESS_SEED: 'none' });
    line = new CommandLine(await builtCheckout(processes.directory()), { HARNESS_URL: server.url, HARNESS_KEY: ADMIN_KEY });
  });
  afterAll(async () => {
    line.cleanUp();
    await server.close();
    await processes.cleanUp();
  });

  const harness = (text: string) => line.run(text.split(' '));
  const json = async (text: string): Promise<Body> => JSON.parse((await harness(`${text} --json`)).out) as Body;

  it('[CLI-001] serve starts the server, which ends when its command is ended', async () => {
    const database = await serverDatabase();
    const serving = line.start(['serve'], { DATABASE_URL: urlOf(database), PORT: '0', HARNESS_DATA_DIR: processes.directory() });
    const [, url] = await serving.untilOut((printed) => /Agent Harness is ready at (\S+)\n/.exec(printed));
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    const [, key] = /shown once: (hk_\S+)/.exec(serving.out())!;
    expect(await line.run(['keys', 'list', '--url', url!, '--key', key!])).toMatchObject({ code: 0, out: expect.stringContaining('active') });
    expect(await serving.interrupt()).toMatchObject({ code: 0 });
    await expect(fetch(`${url}/health/live`)).rejects.toThrow('fetch failed');
    await database.drop();
  });

  it('[CLI-002] seed demo adds the products of the demo to its site, and nothing the second time', async () => {
    expect((await server.admin('GET', 'collections')).body.data).toEqual([]);
    const skus = DEMO_PRODUCTS.map(({ sku }) => sku);
    expect(await json('seed demo')).toEqual({ collection: 'created', created: skus, present: [] });
    const head = await server.head();
    const listed = (await server.admin('GET', `items/products?minPosition=${head}`)).body.data as Body[];
    expect(listed.map(({ data }) => data).toSorted((a, b) => a.sku.localeCompare(b.sku))).toEqual(DEMO_PRODUCTS);
    expect(new Set((await server.log()).map((event: Body) => event.site_id as string))).toEqual(new Set(['site_demo']));
    expect(await harness('seed demo')).toEqual({ code: 0, out: `Collection products: present. Items: 0 created, ${skus.length} there already.\n`, err: '' });
    expect(await server.head()).toBe(head);
  });

  it('[CLI-003] tail prints events as they are appended', async () => {
    const head = await server.head();
    const tail = line.start(['tail']);
    const positions = () => [...tail.out().matchAll(/^\S+ {2}#(\d+) {2}\S+ .*$/gm)].map(([, position]) => BigInt(position!));
    const append = async (title: string) => BigInt((await server.admin('POST', 'items/products', { data: { sku: 'T', title } })).body.position as string);
    // Nothing tells from outside when it listens, so events are appended until it prints one; the next one is then surely its own.
    await eventually(() => append('before'), () => positions().length > 0);
    const last = await append('after');
    await tail.untilOut(() => positions().at(-1) === last);
    expect(tail.out()).toMatch(new RegExp(`^20\\S+Z  #${last}  ItemCreated  item-item_\\S+  human:\\S+  \\{.*"title":"after".*\\}$`, 'm'));
    expect(positions()[0]).toBeGreaterThan(head);
    expect(positions()).toEqual(positions().map((_, index) => positions()[0]! + BigInt(index)));
    expect(await tail.interrupt()).toMatchObject({ code: 0, err: '' });
  });

  it('[CLI-009] projections lists, rebuilds and verifies the read models', async () => {
    const statuses = async () => (await json('projections list')).projections as Body[];
    const before = await eventually(statuses, (all) => all.every(({ lagEvents }) => lagEvents === '0'));
    expect(before.map(({ name }) => name)).toEqual(((await server.admin('GET', 'ops/projections')).body.data as Body[]).map(({ name }) => name));
    const { code, out } = await harness('projections list');
    expect([code, out.trim().split('\n').length]).toEqual([0, before.length + 1]);
    expect(out).toMatch(new RegExp(`^items +live +${await server.head()} +0$`, 'm'));

    expect(await harness('projections rebuild items')).toEqual({ code: 0, out: 'items: rebuild started; see `harness projections list`\n', err: '' });
    const generation = (all: Body[], of: string) => all.find(({ name }) => name === of).generation as number;
    const after = await eventually(statuses, (all) => all.every(({ state }) => state === 'live') && generation(all, 'items') > generation(before, 'items'));
    expect(after.map(({ generation: one }) => one)).toEqual(before.map(({ name, generation: one }) => (one as number) + (name === 'items' ? 1 : 0)));

    const rows = (await server.pool.query<Body>('SELECT count(*)::int AS rows FROM items')).rows[0].rows as number;
    expect(await harness('projections verify items')).toEqual({ code: 0, out: `items: ${rows} rows, equal to the log\n`, err: '' });
    const id = (await server.pool.query<Body>(`UPDATE items SET updated_at = 'never' WHERE id = (SELECT min(id) FROM items) RETURNING id`)).rows[0].id as string;
    const differing = await harness('projections verify items');
    expect(differing).toMatchObject({ code: 1, out: expect.stringMatching(new RegExp(`${id} +different`)) });
  });

  it('[CLI-011] keys issues, lists, rotates and revokes', async () => {
    const works = async (key: string) => (await server.as(key)('GET', 'items/products')).status;
    const listed = async (id: string) => ((await json('keys list')) as Body[]).find((key) => key.id === id);

    const { id, key } = await json('keys issue importer --kind service --capabilities items:read,items:write --expires 2126-01-31T00:00:00Z');
    expect(await works(key as string)).toBe(200);
    expect(await listed(id as string)).toMatchObject({ name: 'importer', kind: 'service', capabilities: ['items:read', 'items:write'], expiresAt: '2126-01-31T00:00:00.000Z', revokedAt: null });
    const shown = await harness('keys list');
    expect(shown).toMatchObject({ code: 0, out: expect.stringMatching(new RegExp(`^${id as string} +importer +service +items:read,items:write +expires 2126\\S+ +\\S+`, 'm')) });
    expect(shown.out).not.toContain('hk_');

    const rotated = await harness(`keys rotate ${id as string}`);
    const [, next] = /^(hk_\S+)$/m.exec(rotated.out)!;
    expect([rotated.code, await works(next!), await works(key as string)]).toEqual([0, 200, 401]);

    expect(await harness(`keys revoke ${id as string}`)).toEqual({ code: 0, out: `${id as string} is revoked.\n`, err: '' });
    expect([await works(next!), (await listed(id as string)).revokedAt]).toEqual([401, expect.any(String)]);
  });
});
