import { fault, type ChainFault } from './chain-verdict';
import type { Checkpoint, CheckpointKey } from './checkpoint';
import type { CopiedRow } from './copied-rows';
import { MerkleRoot } from './merkle';
import { COLUMN, RowText } from './row-text';
import { bytesOf, sha256, type Digest } from './sha256';

/** Counts positions as the 8 bytes in which rows bring them: a bigint for each of millions of rows costs a twentieth of a verification. */
class Position {
  readonly bytes = Buffer.alloc(8);

  constructor(start: bigint) {
    this.bytes.writeBigInt64BE(start);
  }

  get value(): bigint {
    return this.bytes.readBigInt64BE();
  }

  advance(): void {
    const low = this.bytes.readUInt32BE(4);
    if (low === 0xffff_ffff) this.bytes.writeBigInt64BE(this.value + 1n);
    else this.bytes.writeUInt32BE(low + 1, 4);
  }
}

export type Batch = { readonly first: bigint; readonly last: bigint; readonly root: Digest; readonly previous: Digest; readonly chain: Digest };

/** Where a walk begins: after this position, with this chain. */
export type Start = { readonly position: bigint; readonly chain: Digest };

/**
 * Walks the log once, in position order, and knows at each step what must come next. First the claims of a batch (it continues the chain),
 * then each of its events (position, leaf, batch), then its root, then a checkpoint that was signed at its end. The first fault ends the walk.
 */
export class ChainWalk {
  batches = 0n;
  checkpoints = 0;
  signedUpTo: bigint | null = null;
  private readonly next: Position;
  private chain: Digest;
  private open: Batch | null = null;
  private readonly openFirst = Buffer.alloc(8);
  private readonly openLast = Buffer.alloc(8);
  private readonly text = new RowText();
  private readonly merkle = new MerkleRoot();
  private readonly link = Buffer.alloc(80);
  private nextCheckpoint = 0;

  /** The checkpoints must be in position order and lie after the start. Without keys the chain is compared but no signature is checked. */
  constructor(private readonly start: Start, private readonly signed: readonly Checkpoint[], private readonly keys: readonly CheckpointKey[]) {
    this.next = new Position(start.position + 1n);
    this.chain = start.chain;
  }

  /** The last verified position, and the chain after it. */
  get verified(): Start {
    return { position: this.expected - 1n, chain: this.chain };
  }

  /** How many events were verified. */
  get events(): bigint {
    return this.expected - 1n - this.start.position;
  }

  private get expected(): bigint {
    return this.next.value;
  }

  /** True while events of the last batch are still to come. */
  get inBatch(): boolean {
    return this.open !== null;
  }

  begin(batch: Batch): ChainFault | null {
    if (batch.first > this.expected) return fault(this.expected, 'missing_event', `No batch holds position ${this.expected}.`);
    if (batch.first < this.expected || batch.last < batch.first) {
      return fault(batch.first, 'broken_chain', `The batch ${batch.first} to ${batch.last} does not begin after the one before it.`);
    }
    if (batch.previous !== this.chain) return fault(batch.first, 'broken_chain', `The batch from ${batch.first} does not continue the one before it.`);
    if (this.after(batch) !== batch.chain) return fault(batch.first, 'broken_chain', `The link of the batch from ${batch.first} is not the hash of its parts.`);
    this.open = batch;
    this.openFirst.writeBigInt64BE(batch.first);
    this.openLast.writeBigInt64BE(batch.last);
    return null;
  }

  event(row: CopiedRow): ChainFault | null {
    const { open } = this;
    if (!open || !row.isInt64(COLUMN.position, this.next.bytes)) return this.strayEvent(row.int64(COLUMN.position));
    const leaf = row.hasNull ? null : this.leafOf(row);
    if (leaf === null || row.latin1(COLUMN.leaf) !== leaf) return fault(this.expected, 'changed_event', `The event at ${this.expected} is not the one that was hashed.`);
    if (!row.isInt64(COLUMN.batch, this.openFirst)) return fault(this.expected, 'changed_event', `The event at ${this.expected} names another batch than the one it is in.`);
    this.merkle.add(leaf);
    this.next.advance();
    return row.isInt64(COLUMN.position, this.openLast) ? this.close(open) : null;
  }

  private strayEvent(position: bigint): ChainFault {
    return position < this.expected ? fault(position, 'inserted_event', `There is a second event at position ${position}.`) : this.noEvent();
  }

  /** What to say when the events end although more were expected. */
  noEvent(): ChainFault {
    return fault(this.expected, 'missing_event', `There is no event at position ${this.expected}.`);
  }

  /** Checkpoints that lie after the last event speak of events that are gone. */
  end(): ChainFault | null {
    const beyond = this.signed[this.nextCheckpoint];
    return beyond
      ? this.forged(beyond) ?? fault(this.expected, 'missing_event', `The log ends at ${this.expected - 1n}, but position ${beyond.position} was signed on ${beyond.signedAt}.`)
      : null;
  }

  private close(batch: Batch): ChainFault | null {
    if (this.merkle.take() !== batch.root) {
      return fault(batch.first, 'changed_event', `The events ${batch.first} to ${batch.last} are not the ones that were committed together; at least one was changed.`);
    }
    this.chain = batch.chain;
    this.open = null;
    this.batches++;
    return this.checkSigned(batch);
  }

  private checkSigned(batch: Batch): ChainFault | null {
    for (let next = this.signed[this.nextCheckpoint]; next && next.position <= batch.last; next = this.signed[++this.nextCheckpoint]) {
      const forged = this.forged(next);
      if (forged) return forged;
      if (next.position !== batch.last || bytesOf(batch.chain).toString('hex') !== next.chain) {
        const since = this.signedUpTo === null ? 'before it' : `after position ${this.signedUpTo}`;
        return fault(next.position, 'checkpoint_mismatch', `History ${since} was rewritten: it is not the one that was signed on ${next.signedAt} at position ${next.position}.`);
      }
      this.checkpoints++;
      this.signedUpTo = next.position;
    }
    return null;
  }

  private forged(checkpoint: Checkpoint): ChainFault | null {
    if (this.keys.length === 0 || this.keys.some((key) => key.signed(checkpoint))) return null;
    return fault(checkpoint.position, 'bad_signature', `The checkpoint at ${checkpoint.position} was not signed by the given key.`);
  }

  /** A number that no instant has, or a position that is none, can only come from a changed row. */
  private leafOf(row: CopiedRow): Digest | null {
    try {
      return sha256(this.text.of(row));
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
  }

  private after({ first, last, root }: Batch): Digest {
    this.link.write(this.chain, 0, 'latin1');
    this.link.write(root, 32, 'latin1');
    this.link.writeBigInt64BE(first, 64);
    this.link.writeBigInt64BE(last, 72);
    return sha256(this.link);
  }
}
