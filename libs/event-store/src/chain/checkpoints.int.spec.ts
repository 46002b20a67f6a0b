import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPublicKey, verify as verifySignature } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Checkpoint } from './checkpoint';
import { CheckpointFile } from './checkpoint-file';
import { ChainBroken, CheckpointSigner, type Repeat } from './checkpoint-signer';
import { storeCheckpoint, storedCheckpoints } from './checkpoint-table';
import { SigningKey } from './signing';
import { rewriteChain } from './testing/rewrite';
import { TamperedLog } from './testing/tampered-log';
import { verifyChain } from './verify';

/** A schedule that a test drives by hand; `everyMs` is what was asked for. */
class Rounds {
  everyMs = 0;
  private work: (() => void) | null = null;
  readonly repeat: Repeat = (work, everyMs) => {
    this.work = work;
    this.everyMs = everyMs;
    return () => (this.work = null);
  };
  get running() {
    return this.work !== null;
  }
  next = () => this.work!();
}

describe('Signed checkpoints', () => {
  let log: TamperedLog;
  let dir: string;
  let key: SigningKey;
  let file: CheckpointFile;
  let rounds: Rounds;
  let clock: Date;
  const signer = (options: { onError?: (error: unknown) => void } = {}) =>
    new CheckpointSigner({ pool: log.pool, key, file, now: () => clock, repeat: rounds.repeat, ...options });

  beforeAll(async () => {
    log = await TamperedLog.open();
    await log.write(2, 3);
    await log.disarm();
  });
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'checkpoints-'));
    key = await SigningKey.of(dir);
    file = new CheckpointFile(dir);
    rounds = new Rounds();
    clock = new Date('2030-01-01T10:00:00.000Z');
  });
  afterEach(async () => {
    await log.restore();
    await rm(dir, { recursive: true });
  });
  afterAll(() => log.close());

  const headOf = async () => (await log.pool.query<{ last: string; chain: Buffer }>('SELECT last_position AS last, chain FROM es_batch ORDER BY 1 DESC LIMIT 1')).rows[0]!;
  const lines = async () => (await readFile(file.path, 'utf8')).trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, string>);

  it('[AUDIT-003] holds chain head, position and time, signed with Ed25519, every 60 seconds when the head has moved', async () => {
    const signing = signer();
    signing.start();
    expect(rounds.everyMs).toBe(60_000);
    rounds.next();
    await signing.sign();
    const [checkpoint] = await storedCheckpoints(log.pool);
    const head = await headOf();
    expect(checkpoint).toMatchObject({ position: 5n, chain: head.chain.toString('hex'), signedAt: '2030-01-01T10:00:00.000Z', keyId: key.id });
    const publicKey = createPublicKey(await readFile(join(dir, 'checkpoint-key.pub.pem'), 'utf8'));
    expect(publicKey.asymmetricKeyType).toBe('ed25519');
    const signed = Buffer.from(`{"chain":"${head.chain.toString('hex')}","position":"5","signedAt":"2030-01-01T10:00:00.000Z"}`);
    expect(verifySignature(null, signed, publicKey, Buffer.from(checkpoint!.signature, 'base64'))).toBe(true);

    rounds.next();
    expect(await signing.sign()).toBeNull();
    await log.write(1);
    clock = new Date('2030-01-01T10:01:00.000Z');
    rounds.next();
    await signing.sign();
    expect((await storedCheckpoints(log.pool)).map(({ position, signedAt }) => [position, signedAt])).toEqual([
      [5n, '2030-01-01T10:00:00.000Z'], [6n, '2030-01-01T10:01:00.000Z'],
    ]);
    await signing.stop();
    expect(rounds.running).toBe(false);
  });

  it('[AUDIT-004] writes each of them to a file outside of the database', async () => {
    const signing = signer();
    await signing.sign();
    await log.write(1, 1);
    await signing.sign();
    const stored = await storedCheckpoints(log.pool);
    expect(stored).toHaveLength(2);
    expect(await lines()).toEqual(stored.map((checkpoint) => ({ ...checkpoint, position: String(checkpoint.position) })));
    expect(await file.read()).toEqual(stored);
  });

  it('signs once more when it is stopped', async () => {
    const signing = signer();
    signing.start();
    await signing.stop();
    expect(await storedCheckpoints(log.pool)).toHaveLength(1);
  });

  it('goes on after a restart where it stopped, and puts into the table what only the file has', async () => {
    await signer().sign();
    await log.tamper('DELETE FROM es_signed_checkpoint');
    expect(await signer().sign()).toBeNull();
    expect(await storedCheckpoints(log.pool)).toHaveLength(1);
    expect(await lines()).toHaveLength(1);
  });

  it('signs no position twice, however many signers there are', async () => {
    const [one, other] = [signer(), signer()];
    await one.sign();
    expect(await other.sign()).toBeNull();
    await log.write(1);
    await other.sign();
    expect(await one.sign()).toBeNull();
    expect((await lines()).map(({ position }) => position)).toEqual(['5', '6']);
  });

  it('heeds no checkpoint in the table that it did not sign itself', async () => {
    const stranger = await SigningKey.of(join(dir, 'stranger'));
    await signer().sign();
    await storeCheckpoint(log.pool, stranger.sign({ position: 999n, chain: 'ab'.repeat(32), signedAt: clock.toISOString() }));
    await log.write(1);
    expect(await signer().sign()).toMatchObject({ position: 6n });
  });

  it('signs nothing when the log does not continue what was signed last, and says where', async () => {
    const signing = signer();
    await signing.sign();
    await log.write(1);
    await log.tamper(`UPDATE es_batch SET previous = sha256('x') WHERE first_position = 6`);
    await expect(signing.sign()).rejects.toThrow(new ChainBroken(6n));
    expect(await storedCheckpoints(log.pool)).toHaveLength(1);
    const errors: unknown[] = [];
    const watched = signer({ onError: (error) => errors.push(error) });
    watched.start();
    rounds.next();
    await watched.sign().catch(() => undefined);
    expect(errors).toEqual([expect.any(ChainBroken)]);
  });

  it('reads past the half line that a crash left, and writes behind it', async () => {
    await signer().sign();
    await appendFile(file.path, '{"position":"9","chai');
    await log.write(1);
    await signer().sign();
    expect((await file.read()).map(({ position }) => position)).toEqual([5n, 6n]);
  });

  describe('in a verification', () => {
    let signed: readonly Checkpoint[];
    const verify = (checkpoints: readonly Checkpoint[] = []) => verifyChain(log.pool, { checkpoints, publicKeys: [key.publicKeyPem] });

    beforeEach(async () => {
      const signing = signer();
      await signing.sign();
      await log.write(4);
      await signing.sign();
      signed = await file.read();
    });

    it('are counted when they agree', async () => {
      expect(await verify(signed)).toMatchObject({ ok: true, head: 9n, checkpoints: 2, signedUpTo: 9n });
    });

    it('[AUDIT-010] unmask a log that was rewritten with its whole chain recomputed', async () => {
      await log.tamper(`UPDATE es_event SET data = '{"text":"it never happened"}' WHERE position = 2`);
      await rewriteChain(log);
      await log.tamper('DELETE FROM es_signed_checkpoint');
      expect(await verify()).toMatchObject({ ok: true });
      expect(await verify(signed.slice(0, 1))).toMatchObject({ ok: false, position: 5n, reason: 'checkpoint_mismatch' });
    });

    it('[AUDIT-010] unmask it also from the table alone, unless the key is stolen', async () => {
      await log.tamper(`UPDATE es_event SET data = '{"text":"it never happened"}' WHERE position = 7`);
      await rewriteChain(log);
      expect(await verify()).toMatchObject({ ok: false, position: 9n, reason: 'checkpoint_mismatch' });
    });

    it('of the file win over those of the table', async () => {
      await log.tamper(`UPDATE es_event SET data = '{"text":"it never happened"}' WHERE position = 2`);
      await rewriteChain(log);
      await log.tamper('UPDATE es_signed_checkpoint c SET chain = b.chain FROM es_batch b WHERE b.last_position = c.position');
      expect(await verify()).toMatchObject({ ok: false, position: 5n, reason: 'bad_signature' });
      expect(await verify(signed)).toMatchObject({ ok: false, position: 5n, reason: 'checkpoint_mismatch' });
    });

    it('that another key signed are refused', async () => {
      const other = await SigningKey.of(join(dir, 'other'));
      const forged = signed.map(({ position, chain, signedAt }) => other.sign({ position, chain, signedAt }));
      expect(await verify(forged)).toMatchObject({ ok: false, position: 5n, reason: 'bad_signature' });
      expect(await verifyChain(log.pool, { checkpoints: forged, publicKeys: [key.publicKeyPem, other.publicKeyPem] })).toMatchObject({ ok: true, checkpoints: 2 });
    });

    it.each([['signedAt', '2031-01-01T10:00:00.000Z'], ['keyId', '0123456789abcdef'], ['signature', 'AAAA']])('whose %s was changed are refused', async (member, value) => {
      expect(await verify([{ ...signed[0]!, [member]: value }])).toMatchObject({ ok: false, position: 5n, reason: 'bad_signature' });
    });

    it('show that the end of the log was cut off', async () => {
      await log.tamper('DELETE FROM es_event WHERE position > 5');
      await log.tamper('DELETE FROM es_batch WHERE first_position > 5');
      expect(await verify(signed)).toMatchObject({ ok: false, position: 6n, reason: 'missing_event' });
    });

    it('in the middle of a batch are of another history', async () => {
      const inside = key.sign({ ...signed[0]!, position: 7n });
      expect(await verify([inside])).toMatchObject({ ok: false, position: 7n, reason: 'checkpoint_mismatch' });
    });
  });
});
