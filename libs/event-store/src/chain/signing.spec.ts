import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CheckpointKey } from './checkpoint';
import { CheckpointFile } from './checkpoint-file';
import { SigningKey } from './signing';

const body = { position: 2n ** 60n, chain: 'ab'.repeat(32), signedAt: '2030-01-01T10:00:00.000Z' };

describe('The signing key', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'signing-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('is made at first use, kept to its owner, and used again', async () => {
    const key = await SigningKey.of(dir);
    expect((await stat(join(dir, 'checkpoint-key.pem'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(dir, 'checkpoint-key.pem'), 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    expect(await readFile(join(dir, 'checkpoint-key.pub.pem'), 'utf8')).toBe(key.publicKeyPem);
    expect((await SigningKey.of(dir)).id).toBe(key.id);
  });

  it('is one key for two processes that come first at once', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await SigningKey.of(join(dir, 'fresh'))).id));
    expect(new Set(ids).size).toBe(1);
  });

  it('signs what its public key confirms, and nothing else', async () => {
    const key = await SigningKey.of(dir);
    const confirms = new CheckpointKey(key.publicKeyPem);
    const checkpoint = key.sign(body);
    expect(confirms.signed(checkpoint)).toBe(true);
    expect(confirms.signed({ ...checkpoint, position: body.position + 1n })).toBe(false);
    expect(confirms.signed({ ...checkpoint, signature: checkpoint.signature.replace('=', '') })).toBe(false);
    expect(new CheckpointKey((await SigningKey.of(join(dir, 'other'))).publicKeyPem).signed(checkpoint)).toBe(false);
  });

  it('writes into a checkpoint file what comes back out, and nothing comes out of other lines', async () => {
    const file = new CheckpointFile(dir);
    expect(await file.read()).toEqual([]);
    await writeFile(file.path, 'null\n[]\n{"position":"0"}\nnot JSON\n');
    const checkpoint = (await SigningKey.of(dir)).sign(body);
    await file.append(checkpoint);
    expect(await file.read()).toEqual([checkpoint]);
  });
});
