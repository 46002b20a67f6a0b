import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectPages } from '../testing/samples';
import { newEventId } from '../ids';
import { leafOf } from './canonical-event';
import { CheckpointFile } from './checkpoint-file';
import { CheckpointSigner } from './checkpoint-signer';
import { findEvent } from './find-event';
import { chainAfter } from './link';
import { rootOfPath } from './merkle';
import { proofAt, proofOf } from './proof';
import { verifyProof, type Proof } from './proof-check';
import { SigningKey } from './signing';
import { rewriteChain } from './testing/rewrite';
import { TamperedLog } from './testing/tampered-log';

/** Signed after 12, 28 and 29 events; the last batch is not signed. */
const SIZES = [[1, 4, 7], [16], [1]];

describe('A proof of inclusion', () => {
  let log: TamperedLog;
  let dir: string;
  let key: SigningKey;
  let publicKey: string;
  let proofs: Proof[];

  beforeAll(async () => {
    log = await TamperedLog.open();
    dir = await mkdtemp(join(tmpdir(), 'proofs-'));
    key = await SigningKey.of(dir);
    publicKey = key.publicKeyPem;
    const signer = new CheckpointSigner({ pool: log.pool, key, file: new CheckpointFile(dir) });
    for (const sizes of SIZES) {
      await log.write(...sizes);
      await signer.sign();
    }
    await log.write(2);
    const positions = Array.from({ length: 29 }, (_, i) => BigInt(i + 1));
    const results = await Promise.all(positions.map((position) => proofAt(log.pool, position)));
    proofs = results.map((result) => (result as { proof: Proof }).proof);
  });
  afterAll(async () => {
    await log.close();
    await rm(dir, { recursive: true });
  });

  it('verifies for every event that a checkpoint covers', async () => {
    const events = await collectPages(log.store.readAll(0n, { filter: {} }));
    proofs.forEach((proof, i) => {
      const { eventId, data } = events[i]!;
      expect(verifyProof(proof, publicKey)).toMatchObject({ ok: true, position: BigInt(i + 1), event: { eventId, data, position: String(i + 1) } });
    });
    expect(new Set(proofs.map(({ checkpoint }) => checkpoint.position))).toEqual(new Set(['12', '28', '29']));
  });

  it('[AUDIT-012] of an event verifies offline, in a program without a database, with the public key alone', async () => {
    const [event] = (await collectPages(log.store.readAll(6n))).slice(0, 1);
    const result = await proofOf(log.pool, event!.eventId);
    const proof = JSON.stringify((result as { proof: Proof }).proof);
    // A program of its own, which has never seen this code: node:crypto, the proof and the key.
    const program = `
      const { createHash, createPublicKey, verify } = require('node:crypto');
      const { proof, publicKey } = JSON.parse(process.argv[1]);
      const sha = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();
      const hex = (text) => Buffer.from(text, 'hex');
      const int = (text) => { const b = Buffer.alloc(8); b.writeBigInt64BE(BigInt(text)); return b; };
      let node = sha(Buffer.from(proof.event)), at = BigInt(JSON.parse(proof.event).position) - BigInt(proof.batch.first);
      let width = BigInt(proof.batch.last) - BigInt(proof.batch.first) + 1n; const path = [...proof.path];
      for (; width > 1n; at /= 2n, width = (width + 1n) / 2n) {
        if (at % 2n === 0n && at === width - 1n) continue;
        const sibling = hex(path.shift());
        node = at % 2n === 0n ? sha(Buffer.from([1]), node, sibling) : sha(Buffer.from([1]), sibling, node);
      }
      let chain = sha(hex(proof.batch.previous), node, int(proof.batch.first), int(proof.batch.last));
      for (const { first, last, root } of proof.links) chain = sha(chain, hex(root), int(first), int(last));
      const { position, signedAt, signature } = proof.checkpoint;
      const text = JSON.stringify({ chain: chain.toString('hex'), position, signedAt });
      console.log(verify(null, Buffer.from(text), createPublicKey(publicKey), Buffer.from(signature, 'base64')), JSON.parse(proof.event).eventId);`;
    const answer = await new Promise<string>((settle, fail) =>
      execFile(process.execPath, ['-e', program, JSON.stringify({ proof: JSON.parse(proof) as unknown, publicKey })], { env: {} }, (error, out) => (error ? fail(error) : settle(out))));
    expect(answer.trim()).toBe(`true ${event!.eventId}`);
    expect(verifyProof(JSON.parse(proof), publicKey)).toMatchObject({ ok: true });
  });

  it('[AUDIT-013] verifies if and only if the event is in the log', async () => {
    const forgery = fc.record({
      at: fc.nat(28), other: fc.nat(28), position: fc.bigInt({ min: 1n, max: 40n }), text: fc.string(),
      how: fc.constantFrom('data', 'position', 'type', 'whole', 'borrowed'),
    });
    fc.assert(fc.property(forgery, ({ at, other, position, text, how }) => {
      const proof = proofs[at]!;
      expect(verifyProof(proof, publicKey).ok).toBe(true);
      const event = JSON.parse(proof.event) as { data: { text: string }; position: string };
      const forged = {
        data: JSON.stringify({ ...event, data: { ...event.data, text } }), position: JSON.stringify({ ...event, position: String(position) }),
        type: JSON.stringify({ ...event, type: text }), whole: text, borrowed: proofs[other]!.event,
      }[how];
      fc.pre(forged !== proof.event);
      // The forger fits everything that can be computed: the leaf, then also the root, the link and the signed head.
      const inserted = { ...proof, event: forged, leaf: leafOf(forged).toString('hex') };
      expect(verifyProof(inserted, publicKey).ok).toBe(false);
      expect(verifyProof(refitted(inserted), publicKey).ok).toBe(false);
    }), { numRuns: 500 });
  });

  /** A proof that is consistent up to the signature, which only the key's owner could renew. */
  const refitted = (proof: Proof): Proof => {
    const { batch, links, checkpoint } = proof;
    const index = Number(BigInt(positionIn(proof.event) ?? batch.first) - BigInt(batch.first));
    const root = rootOfPath(Buffer.from(proof.leaf, 'hex'), index, Number(BigInt(batch.last) - BigInt(batch.first)) + 1, proof.path.map((node) => Buffer.from(node, 'hex')));
    if (!root) return proof;
    let chain = chainAfter(Buffer.from(batch.previous, 'hex'), root, BigInt(batch.first), BigInt(batch.last));
    const own = chain.toString('hex');
    for (const link of links) chain = chainAfter(chain, Buffer.from(link.root, 'hex'), BigInt(link.first), BigInt(link.last));
    return { ...proof, batch: { ...batch, root: root.toString('hex'), chain: own }, checkpoint: { ...checkpoint, chain: chain.toString('hex') } };
  };

  const positionIn = (text: string): string | undefined => {
    try {
      return (JSON.parse(text) as { position?: string }).position;
    } catch {
      return undefined;
    }
  };

  it('fails when any of its hex digits, positions or texts is changed', () => {
    const places = fc.record({ at: fc.nat(28), place: fc.nat(10_000), by: fc.integer({ min: 1, max: 15 }) });
    fc.assert(fc.property(places, ({ at, place, by }) => {
      const text = JSON.stringify(proofs[at]!);
      const i = place % text.length;
      const digit = '0123456789abcdef'.indexOf(text[i]!);
      fc.pre(digit >= 0);
      const changed = text.slice(0, i) + '0123456789abcdef'[(digit + by) % 16] + text.slice(i + 1);
      let value: unknown;
      try {
        value = JSON.parse(changed);
      } catch {
        return;
      }
      expect(verifyProof(value, publicKey).ok).toBe(false);
    }), { numRuns: 500 });
  });

  it.each([null, 7, 'proof', [], {}, { format: 'harness-proof-1' }])('refuses %j, which is no proof', (value) => {
    expect(verifyProof(value, publicKey)).toMatchObject({ ok: false, detail: 'This is no proof of the known format.' });
  });

  it('fails with another key', async () => {
    const other = await SigningKey.of(join(dir, 'other'));
    expect(verifyProof(proofs[0], other.publicKeyPem)).toEqual({ ok: false, detail: 'The checkpoint was not signed by this key.' });
  });

  it('waits for a checkpoint that covers the event', async () => {
    expect(await proofAt(log.pool, 31n)).toEqual({ ok: false, reason: 'unsigned' });
  });

  it('is not to be had for what is not in the log', async () => {
    expect(await proofAt(log.pool, 99n)).toEqual({ ok: false, reason: 'unknown' });
    expect(await proofOf(log.pool, newEventId())).toEqual({ ok: false, reason: 'unknown' });
    expect(await proofOf(log.pool, 'not-an-id')).toEqual({ ok: false, reason: 'unknown' });
  });

  it('finds an event by its id, however the batches lie in time', async () => {
    const events = await collectPages(log.store.readAll(0n));
    for (const { eventId, position } of events) expect(await findEvent(log.pool, eventId)).toBe(position);
    await log.disarm();
    await log.tamper(`UPDATE es_batch SET committed_at = committed_at + (first_position - 20) * interval '1 hour'`);
    for (const { eventId, position } of events) expect(await findEvent(log.pool, eventId.toUpperCase())).toBe(position);
  });

  it('out of a rewritten log does not verify', async () => {
    await log.disarm();
    await log.tamper(`UPDATE es_event SET data = '{"text":"it never happened"}' WHERE position = 3`);
    await rewriteChain(log);
    const result = await proofAt(log.pool, 3n);
    expect(verifyProof((result as { proof: Proof }).proof, publicKey)).toEqual({ ok: false, detail: 'The links do not lead to the signed checkpoint.' });
  });
});
