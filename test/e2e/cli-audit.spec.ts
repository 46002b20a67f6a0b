import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtCheckout, CommandLine } from './command-line';
import { Processes } from './processes';
import { ADMIN_KEY, testServer, type Body, type TestServer } from './server';

describe('The command line and the chain of the log', () => {
  const processes = new Processes();
  let server: TestServer;
  let folder: string;
  let line: CommandLine;

  beforeAll(async () => {
    server = await testServer();
    folder = await builtCheckout(processes.directory());
    line = new CommandLine(folder, { HARNESS_URL: server.url, HARNESS_KEY: ADMIN_KEY });
  });
  afterAll(async () => {
    line.cleanUp();
    await server.close();
    await processes.cleanUp();
  });

  const harness = (...args: string[]) => line.run(args);

  it('[CLI-005] audit proof writes the proof of an event, which anybody checks with the public key and without the server', async () => {
    const { position } = (await server.admin('POST', 'items/products', { data: { sku: 'P', title: 'Proven' } })).body;
    const { eventId, data } = ((await server.admin('GET', `audit/events?type=ItemCreated&minPosition=${position as string}`)).body.data as Body[])[0];
    const proof = join(folder, 'proof.json');
    expect(await harness('audit', 'proof', eventId as string, '--out', proof)).toMatchObject({ code: 0, err: '' });

    const offline = new CommandLine(folder);
    const check = (file: string, key: string) => offline.run(['audit', 'check-proof', file, '--public-key', key, '--json']);
    const publicKey = join(server.dataDir, 'audit/checkpoint-key.pub.pem');
    const checked = await check(proof, publicKey);
    expect([checked.code, JSON.parse(checked.out)]).toMatchObject([0, { ok: true, position, event: { eventId, type: 'ItemCreated', data } }]);

    const forged = join(folder, 'forged.json');
    await writeFile(forged, (await readFile(proof, 'utf8')).replace('Proven', 'Forged'));
    expect(await check(forged, publicKey)).toMatchObject({ code: 1, out: expect.stringContaining('The event is not the one that was hashed.') });
    const other = join(folder, 'other.pem');
    await writeFile(other, generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }));
    expect(await check(proof, other)).toMatchObject({ code: 1, out: expect.stringContaining('The checkpoint was not signed by this key.') });
  });

  it('[CLI-006] audit checkpoint and audit export write a signed checkpoint and the exported log', async () => {
    const [checkpoint, exported] = [join(folder, 'checkpoint.json'), join(folder, 'log.ndjson')];
    expect(await harness('audit', 'checkpoint', '--out', checkpoint)).toMatchObject({ code: 0, err: '' });
    const { position, chain, signature, signedAt } = JSON.parse(await readFile(checkpoint, 'utf8')) as Body;
    const publicKey = createPublicKey(await readFile(join(server.dataDir, 'audit/checkpoint-key.pub.pem'), 'utf8'));
    const signed = (head: string) => verify(null, Buffer.from(JSON.stringify({ chain: head, position, signedAt })), publicKey, Buffer.from(signature as string, 'base64'));
    expect([signed(chain as string), signed('0'.repeat(64)), BigInt(position as string) > 0n]).toEqual([true, false, true]);

    expect(await harness('audit', 'export', '--out', exported)).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+ events are in .*log\.ndjson, the last at #\d+\.\n$/) });
    const lines = (await readFile(exported, 'utf8')).split('\n').slice(0, -1).map((text) => JSON.parse(text) as Body);
    const log = (await server.log()).filter(({ site_id }: Body) => site_id === 'site_demo');
    expect(lines.map(({ id, position: at, type }) => [id as string, at as string, type as string])).toEqual(
      (await server.pool.query<Body>(`SELECT event_id AS id, position::text AS at, type FROM es_event WHERE site_id = 'site_demo' ORDER BY es_event.position`)).rows.map(({ id, at, type }: Body) => [id as string, at as string, type as string]),
    );
    expect(lines).toHaveLength(log.length);
    const more = await harness('audit', 'export', '--out', join(folder, 'more.ndjson'), '--after', lines.at(-1).position as string, '--json');
    expect(JSON.parse(more.out)).toEqual({ file: join(folder, 'more.ndjson'), events: 0, last: null });
    // A file that an export did not finish does not exist.
    expect(await harness('audit', 'export', '--out', join(folder, 'never.ndjson'), '--from', 'then')).toMatchObject({ code: 1 });
    expect((await readdir(folder)).filter((name) => name.startsWith('never'))).toEqual([]);
  });

  it('[CLI-004] audit verify shows a progress bar and exits 0 on an intact chain, 1 on a broken one', async () => {
    const head = await server.head();
    const intact = await harness('audit', 'verify');
    expect(intact).toMatchObject({ code: 0, out: expect.stringMatching(new RegExp(`^Intact: ${head} events up to #${head}, \\d+ signed checkpoints\\.\n$`)) });
    expect(intact.err).toMatch(/^Verifying -{30} 0%$/m);
    expect(intact.err).toMatch(/^Verifying ={30} 100%$/m);

    // One byte of one event, as somebody with the rights of the database's owner can do.
    await server.pool.query('ALTER TABLE es_event DISABLE TRIGGER ALL');
    const { rows } = await server.pool.query<Body>(`UPDATE es_event SET data = regexp_replace(data, 'hammer', 'jammer') WHERE data LIKE '%hammer%' RETURNING position::text`);
    expect(rows).toHaveLength(1);
    const bad = rows[0].position as string;
    const broken = await harness('audit', 'verify');
    expect(broken).toMatchObject({ code: 1, out: expect.stringMatching(new RegExp(`^BROKEN at #${bad} \\(\\w+\\): .+\n$`)) });
    expect(broken.err).toMatch(/^Verifying [=-]{30} \d+%$/m);
    expect(await harness('audit', 'verify', '--json')).toMatchObject({ code: 1, out: expect.stringContaining(`"position": "${bad}"`) });
  });
});
