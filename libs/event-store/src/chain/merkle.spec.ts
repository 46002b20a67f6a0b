import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { chainAfter, GENESIS } from './link';
import { inclusionPath, MerkleRoot, merkleRoot, rootOfPath } from './merkle';
import { digestOf } from './sha256';

const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
const leaf = (text: string | number) => sha256(Buffer.from(String(text)));
const leavesOf = (size: number) => Array.from({ length: size }, (_, i) => leaf(i));
const inner = (left: Buffer, right: Buffer) => sha256(Buffer.from([1]), left, right);

describe('The Merkle tree of a batch', () => {
  it('has its only leaf as root', () => {
    expect(merkleRoot([leaf('a')])).toEqual(leaf('a'));
  });

  it('hashes 0x01 and two nodes, and moves an odd last node up unchanged', () => {
    const [a, b, c, d, e] = leavesOf(5) as [Buffer, Buffer, Buffer, Buffer, Buffer];
    expect(merkleRoot([a, b, c])).toEqual(inner(inner(a, b), c));
    expect(merkleRoot([a, b, c, d, e])).toEqual(inner(inner(inner(a, b), inner(c, d)), e));
  });

  it('has no root without leaves', () => {
    expect(() => merkleRoot([])).toThrow(RangeError);
    expect(() => new MerkleRoot().take()).toThrow(RangeError);
  });

  it('can be used for one batch after another', () => {
    const root = new MerkleRoot();
    for (const size of [7, 1, 4, 33, 2]) {
      const leaves = leavesOf(size);
      leaves.forEach((node) => root.add(digestOf(node)));
      expect(root.take()).toBe(digestOf(merkleRoot(leaves)));
    }
  });

  it('gives a path from every leaf to the root', () => {
    for (let size = 1; size <= 40; size++) {
      const leaves = leavesOf(size);
      leaves.forEach((node, i) => expect(rootOfPath(node, i, size, inclusionPath(leaves, i))).toEqual(merkleRoot(leaves)));
    }
  });

  it('gives another root or none for another leaf, place, size or path', () => {
    const samples = fc.integer({ min: 1, max: 40 }).chain((size) => fc.record({ size: fc.constant(size), index: fc.nat(size - 1), other: fc.nat(80), cut: fc.nat(6), bit: fc.nat(255) }));
    fc.assert(fc.property(samples, ({ size, index, other, cut, bit }) => {
      const leaves = leavesOf(size);
      const path = inclusionPath(leaves, index);
      const root = merkleRoot(leaves);
      const leadsTo = (of: Buffer, at: number, width: number, along: readonly Buffer[]) => rootOfPath(of, at, width, along)?.equals(root) ?? false;
      expect(leadsTo(leaf(other + 1_000), index, size, path)).toBe(false);
      if (other !== index) expect(leadsTo(leaves[index]!, other, size, path) && path.length > 0).toBe(false);
      if (cut < path.length) expect(leadsTo(leaves[index]!, index, size, path.toSpliced(cut, 1))).toBe(false);
      expect(leadsTo(leaves[index]!, index, size, [...path, leaf('more')])).toBe(false);
      if (path.length > 0) {
        const spoilt = Buffer.from(path[0]!);
        spoilt[bit >> 3]! ^= 1 << (bit & 7);
        expect(leadsTo(leaves[index]!, index, size, [spoilt, ...path.slice(1)])).toBe(false);
      }
    }), { numRuns: 300 });
  });

  it.each([[-1, 3], [3, 3], [0.5, 3], [0, 0], [0, Number.NaN]])('has no path for place %p of %p', (index, size) => {
    expect(rootOfPath(leaf('a'), index, size, [])).toBeNull();
    expect(() => inclusionPath(leavesOf(3), index === 0 ? 3 : index)).toThrow(RangeError);
  });
});

describe('A link of the chain', () => {
  it('hashes the link before it, the root and both positions as 8 big-endian bytes', () => {
    const positions = Buffer.alloc(16);
    positions.writeBigInt64BE(2n ** 60n, 0);
    positions.writeBigInt64BE(2n ** 60n + 5n, 8);
    expect(chainAfter(GENESIS, leaf('root'), 2n ** 60n, 2n ** 60n + 5n)).toEqual(sha256(Buffer.alloc(32), leaf('root'), positions));
  });
});
