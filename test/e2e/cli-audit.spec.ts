import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
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
