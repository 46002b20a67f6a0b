import type { Pool } from 'pg';
import { CheckpointKey, type Checkpoint } from './checkpoint';
import type { CheckpointFile } from './checkpoint-file';
import { latestCheckpoints, storeCheckpoint } from './checkpoint-table';
import { GENESIS, chainAfter } from './link';
import type { SigningKey } from './signing';

/** Calls `work` again and again and answers how to stop it. */
export type Repeat = (work: () => void, everyMs: number) => () => void;

export type CheckpointSignerOptions = {
  readonly pool: Pool;
  readonly key: SigningKey;
  readonly file: CheckpointFile;
  readonly now?: () => Date;
  readonly everyMs?: number;
  readonly repeat?: Repeat;
  /** Told when signing on schedule failed; the next round tries again. */
  readonly onError?: (error: unknown) => void;
};

/** The log does not continue from what was signed last. Nothing is signed until somebody has looked: run a verification. */
export class ChainBroken extends Error {
  constructor(readonly position: bigint) {
    super(`The chain at position ${position} does not continue the checkpoint that was signed last; nothing was signed. Run \`harness audit verify\`.`);
    this.name = 'ChainBroken';
  }
}

const repeatUnreferenced: Repeat = (work, everyMs) => {
  const timer = setInterval(work, everyMs).unref();
  return () => clearInterval(timer);
};

const ONE_MINUTE = 60_000;

/**
 * Signs the chain head on a schedule when it has moved, and once more when it is stopped. A checkpoint goes to the file first, then to the
 * table: what is in the database is always also outside. Several processes may sign with one key and one file, or each with its own.
 */
export class CheckpointSigner {
  private readonly now: () => Date;
  private readonly everyMs: number;
  private readonly repeat: Repeat;
  private readonly onError: (error: unknown) => void;
  private readonly own: CheckpointKey;
  private last: Head | null = null;
  private running: Promise<Checkpoint | null> = Promise.resolve(null);
  private cancel: (() => void) | null = null;

  constructor(private readonly options: CheckpointSignerOptions) {
    this.now = options.now ?? (() => new Date());
    this.everyMs = options.everyMs ?? ONE_MINUTE;
    this.repeat = options.repeat ?? repeatUnreferenced;
    this.onError = options.onError ?? (() => {});
    this.own = new CheckpointKey(options.key.publicKeyPem);
  }

  start(): void {
    this.cancel ??= this.repeat(() => void this.sign().catch(this.onError), this.everyMs);
  }

  async stop(): Promise<void> {
    this.cancel?.();
    this.cancel = null;
    await this.sign();
  }

  /** Signs the head; null when it was signed already or the log is empty. Rejects with `ChainBroken` rather than sign another history. */
  sign(): Promise<Checkpoint | null> {
    const next = this.running.then(() => this.signHead(), () => this.signHead());
    this.running = next;
    return next;
  }

  private async signHead(): Promise<Checkpoint | null> {
    const { pool, key, file } = this.options;
    const last = await this.lastSigned();
    const head = await this.headAfter(last);
    if (head.position === last.position) return null;
    const checkpoint = key.sign({ position: head.position, chain: head.chain.toString('hex'), signedAt: this.now().toISOString() });
    await file.append(checkpoint);
    await storeCheckpoint(pool, checkpoint);
    this.last = head;
    return checkpoint;
  }

  /**
   * What this key signed last, here, before a restart or in another process. The file is read once: it grows for ever, and all it can know
   * better than the table is a checkpoint that a crash kept out of the table, which is put there now.
   */
  private async lastSigned(): Promise<Head> {
    const { pool, file } = this.options;
    if (this.last === null) {
      const inFile = (await file.read()).at(-1);
      if (inFile) await storeCheckpoint(pool, inFile);
      this.last = inFile ? headOf(inFile) : { position: 0n, chain: GENESIS };
    }
    const inTable = await this.lastInTable();
    return inTable && inTable.position > this.last.position ? headOf(inTable) : this.last;
  }

  /** Of this key: another process with a key of its own may sign the same log, and a row that nobody signed says nothing. */
  private async lastInTable(): Promise<Checkpoint | undefined> {
    const [newest] = await latestCheckpoints(this.options.pool, 1, { keyId: this.options.key.id });
    return newest && this.own.signed(newest) ? newest : undefined;
  }

  /** Follows the links from the last signed position to the head: usually a minute of batches, each of them one hash. */
  private async headAfter(signed: Head): Promise<Head> {
    let head = signed;
    for (;;) {
      const { rows } = await this.options.pool.query<Link>(
        `SELECT first_position AS first, last_position AS last, root, previous, chain FROM es_batch
         WHERE first_position > $1 ORDER BY first_position LIMIT ${LINKS_PER_READ}`,
        [String(head.position)],
      );
      for (const link of rows) head = following(head, link);
      if (rows.length < LINKS_PER_READ) return head;
    }
  }
}

type Head = { readonly position: bigint; readonly chain: Buffer };

const headOf = ({ position, chain }: Checkpoint): Head => ({ position, chain: Buffer.from(chain, 'hex') });
type Link = { first: string; last: string; root: Buffer; previous: Buffer; chain: Buffer };

const LINKS_PER_READ = 10_000;

const following = (head: Head, { first, last, root, previous, chain }: Link): Head => {
  const follows = BigInt(first) === head.position + 1n && previous.equals(head.chain);
  if (!follows || !chainAfter(head.chain, root, BigInt(first), BigInt(last)).equals(chain)) throw new ChainBroken(BigInt(first));
  return { position: BigInt(last), chain };
};
