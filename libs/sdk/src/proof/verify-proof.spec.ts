import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { InclusionProof, ProofLink } from './proof';
import { verifyProof } from './verify-proof';

const sha = (...parts: Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();
const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();
const signer = generateKeyPairSync('ed25519');
const keyId = createHash('sha256')
  .update(signer.publicKey.export({ type: 'spki', format: 'der' }))
  .digest('hex')
  .slice(0, 16);
const pem = pemOf(signer.publicKey);

const int64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
};
const eventText = (position: bigint) =>
  `{"data":{"sku":"É-${position}"},"eventId":"e${position}","position":"${position}","type":"ItemCreated"}`;

/** Root of a subtree, and the path of one of its leaves: written top-down, so as to share nothing with what it tests. */
const tree = (leaves: readonly Buffer[], index: number): { root: Buffer; path: Buffer[] } => {
  if (leaves.length === 1) return { root: leaves[0]!, path: [] };
  const half = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  const [left, right] = [leaves.slice(0, half), leaves.slice(half)];
  const [own, other] = index < half ? [tree(left, index), tree(right, 0)] : [tree(right, index - half), tree(left, 0)];
  const root = sha(Uint8Array.of(1), ...(index < half ? [own.root, other.root] : [other.root, own.root]));
  return { root, path: [...own.path, other.root] };
};

/** A log of batches of these sizes, and the proof of one of its events. */
const proofIn = (sizes: readonly number[], target: number): InclusionProof => {
  let position = 2n ** 53n;
  let chain: Buffer = Buffer.alloc(32, 7);
  let seen = 0;
  let proof: Omit<InclusionProof, 'links' | 'checkpoint'> | undefined;
  const links: ProofLink[] = [];
  for (const size of sizes) {
    const texts = Array.from({ length: size }, (_, index) => eventText(position + BigInt(index)));
    const leaves = texts.map((text) => sha(Buffer.from(text)));
    const index = target - seen;
    const { root, path } = tree(leaves, index >= 0 && index < size ? index : 0);
    const [first, last, previous] = [position, position + BigInt(size) - 1n, chain];
    chain = sha(previous, root, int64(first), int64(last));
    const link = { first: String(first), last: String(last), root: root.toString('hex') };
    if (proof) links.push(link);
    else if (index < size) {
      proof = {
        format: 'harness-proof-1',
        event: texts[index]!,
        leaf: leaves[index]!.toString('hex'),
        path: path.map((node) => node.toString('hex')),
        batch: { ...link, previous: previous.toString('hex'), chain: chain.toString('hex') },
      };
    }
    seen += size;
    position = last + 1n;
  }
  const [head, signedAt] = [String(position - 1n), '2026-11-30T10:00:00.000Z'];
  const text = `{"chain":"${chain.toString('hex')}","position":"${head}","signedAt":"${signedAt}"}`;
  const signature = sign(null, Buffer.from(text), signer.privateKey).toString('base64');
  return { ...proof!, links, checkpoint: { position: head, chain: chain.toString('hex'), signedAt, keyId, signature } };
};

const logs = fc
  .array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })
  .chain((sizes) => fc.record({ sizes: fc.constant(sizes), target: fc.nat(sizes.reduce((sum, size) => sum + size, 0) - 1) }));

const leavesOf = (value: unknown, at: readonly string[] = []): (readonly string[])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...at, key])) : [at];

const changed = (value: unknown, at: readonly string[], change: (text: string) => string): unknown => {
  if (at.length === 0) return change(String(value));
  const copy = structuredClone(value) as Record<string, unknown>;
  const [key = '', ...rest] = at;
  copy[key] = changed(copy[key], rest, change);
  return copy;
};

describe('A proof', () => {
  it('is valid for any event of any log', async () => {
    await fc.assert(
      fc.asyncProperty(logs, async ({ sizes, target }) => {
        const proof = proofIn(sizes, target);
        expect(await verifyProof(JSON.parse(JSON.stringify(proof)), pem)).toEqual({
          ok: true,
          position: String(2n ** 53n + BigInt(target)),
          signedAt: proof.checkpoint.signedAt,
          event: JSON.parse(proof.event),
        });
      }),
      { numRuns: 60 },
    );
  });

  it('is not valid when any one character of it is another', async () => {
    await fc.assert(
      fc.asyncProperty(logs, fc.nat(), fc.nat(), async ({ sizes, target }, which, where) => {
        const proof = proofIn(sizes, target);
        const places = leavesOf(proof);
        const forged = changed(proof, places[which % places.length]!, (text) => {
          const at = where % text.length;
          return text.slice(0, at) + (text[at] === '1' ? '2' : '1') + text.slice(at + 1);
        });
        expect((await verifyProof(forged, pem)).ok).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  it('is not valid under another key', async () => {
    expect(await verifyProof(proofIn([3], 1), pemOf(generateKeyPairSync('ed25519').publicKey))).toMatchObject({
      ok: false,
      detail: expect.stringContaining('key'),
    });
  });

  it('is not valid when steps are missing, added or moved', async () => {
    const proof = proofIn([4, 2, 3], 1);
    const [one, two] = proof.links;
    for (const links of [[], [one!], [two!, one!], [...proof.links, two!]])
      expect((await verifyProof({ ...proof, links }, pem)).ok).toBe(false);
    for (const path of [[], proof.path.slice(1), [...proof.path, proof.path[0]!]])
      expect((await verifyProof({ ...proof, path }, pem)).ok).toBe(false);
  });

  it.each([
    [null],
    ['proof'],
    [[]],
    [{}],
    [{ format: 'harness-proof-1' }],
    [{ ...proofIn([1], 0), links: null }],
    [{ ...proofIn([1], 0), format: 'harness-proof-2' }],
  ])('is not valid when it is %p', async (value) => expect((await verifyProof(value, pem)).ok).toBe(false));

  it('cannot be checked with a text that is no Ed25519 public key', async () => {
    const rsa = pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey);
    for (const text of ['', 'ssh-ed25519 AAAA', rsa]) await expect(verifyProof(proofIn([1], 0), text)).rejects.toThrow(TypeError);
  });
});
