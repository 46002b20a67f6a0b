import { bytesOf, digestOf, sha256, type Digest } from './sha256';

/** 0x01 ‖ left ‖ right. */
const newBlock = () => Buffer.alloc(65, 1);
const LEFT = 1;
const RIGHT = 33;

/**
 * The root of a growing list of leaves. An inner node is sha256(0x01 ‖ left ‖ right); the odd last node of a level moves up unchanged.
 * A leaf is the hash of a text that begins with `{`, never with 0x01, so nobody can pass an inner node off as an event.
 * Only one half-filled block per level is kept: a batch of any size needs a few hundred bytes.
 */
export class MerkleRoot {
  private readonly blocks: Buffer[] = [];
  private size = 0;

  add(leaf: Digest): void {
    let node = leaf;
    let level = 0;
    for (let nodes = this.size++; nodes % 2 === 1; nodes = Math.floor(nodes / 2)) {
      const block = this.blocks[level++]!;
      block.write(node, RIGHT, 'latin1');
      node = sha256(block);
    }
    (this.blocks[level] ??= newBlock()).write(node, LEFT, 'latin1');
  }

  /** The root of what was added, and back to an empty list. */
  take(): Digest {
    if (this.size === 0) throw new RangeError('A batch has at least one event');
    let node: Digest | null = null;
    for (let nodes = this.size, level = 0; nodes > 0; nodes = Math.floor(nodes / 2), level++) {
      if (nodes % 2 === 0) continue;
      const block = this.blocks[level]!;
      if (node === null) node = block.toString('latin1', LEFT, RIGHT);
      else {
        block.write(node, RIGHT, 'latin1');
        node = sha256(block);
      }
    }
    this.size = 0;
    return node!;
  }
}

export const merkleRoot = (leaves: readonly Buffer[]): Buffer => {
  const root = new MerkleRoot();
  for (const leaf of leaves) root.add(digestOf(leaf));
  return bytesOf(root.take());
};

/** The siblings from a leaf up to the root. Sides are not listed: they follow from the index and the number of leaves. */
export const inclusionPath = (leaves: readonly Buffer[], index: number): readonly Buffer[] => {
  if (!Number.isSafeInteger(index) || index < 0 || index >= leaves.length) throw new RangeError(`The batch has no leaf ${index}`);
  const path: Buffer[] = [];
  for (let level = leaves, at = index; level.length > 1; level = levelAbove(level), at >>= 1) {
    const sibling = level[at ^ 1];
    if (sibling) path.push(sibling);
  }
  return path;
};

/** The root that a path leads to, or null when the path cannot belong to that leaf of a batch of that size. */
export const rootOfPath = (leaf: Buffer, index: number, size: number, path: readonly Buffer[]): Buffer | null => {
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(index) || index < 0 || index >= size) return null;
  let node = leaf;
  let used = 0;
  for (let at = index, width = size; width > 1; at = Math.floor(at / 2), width = Math.ceil(width / 2)) {
    if (at % 2 === 0 && at === width - 1) continue;
    const sibling = path[used++];
    if (sibling?.length !== 32) return null;
    node = at % 2 === 0 ? innerNode(node, sibling) : innerNode(sibling, node);
  }
  return used === path.length ? node : null;
};

const levelAbove = (level: readonly Buffer[]): Buffer[] => {
  const above: Buffer[] = [];
  for (let i = 0; i + 1 < level.length; i += 2) above.push(innerNode(level[i]!, level[i + 1]!));
  if (level.length % 2 === 1) above.push(level.at(-1)!);
  return above;
};

const innerNode = (left: Buffer, right: Buffer): Buffer => {
  const block = newBlock();
  block.set(left, LEFT);
  block.set(right, RIGHT);
  return bytesOf(sha256(block));
};
