import type { Checkpoint } from './checkpoint';
import type { Queryable } from './stored-events';

type Row = { position: string; chain: Buffer; signed_at: string; key_id: string; signature: Buffer };

const checkpointOf = ({ position, chain, signed_at: signedAt, key_id: keyId, signature }: Row): Checkpoint => ({
  position: BigInt(position), chain: chain.toString('hex'), signedAt, keyId, signature: signature.toString('base64'),
});

/** Every signed checkpoint of the database, in position order. */
export const storedCheckpoints = async (db: Queryable): Promise<readonly Checkpoint[]> =>
  (await db.query<Row>('SELECT position, chain, signed_at, key_id, signature FROM es_signed_checkpoint ORDER BY position')).rows.map(checkpointOf);

/** The newest ones first; below a position, or of one key, when that is given. */
export const latestCheckpoints = async (
  db: Queryable,
  limit: number,
  { below, keyId }: { readonly below?: bigint | undefined; readonly keyId?: string } = {},
): Promise<readonly Checkpoint[]> =>
  (
    await db.query<Row>(
      `SELECT position, chain, signed_at, key_id, signature FROM es_signed_checkpoint
       WHERE ($2::bigint IS NULL OR position < $2) AND ($3::text IS NULL OR key_id = $3) ORDER BY position DESC LIMIT $1`,
      [limit, below === undefined ? null : String(below), keyId ?? null],
    )
  ).rows.map(checkpointOf);

/** The oldest ones behind a position. */
export const checkpointsBehind = async (db: Queryable, position: bigint, limit: number): Promise<readonly Checkpoint[]> =>
  (
    await db.query<Row>('SELECT position, chain, signed_at, key_id, signature FROM es_signed_checkpoint WHERE position > $1 ORDER BY position LIMIT $2', [String(position), limit])
  ).rows.map(checkpointOf);

/** The first checkpoint that covers a position. */
export const checkpointCovering = async (db: Queryable, position: bigint): Promise<Checkpoint | null> => {
  const { rows } = await db.query<Row>(
    'SELECT position, chain, signed_at, key_id, signature FROM es_signed_checkpoint WHERE position >= $1 ORDER BY position LIMIT 1',
    [String(position)],
  );
  return rows[0] ? checkpointOf(rows[0]) : null;
};

/** A position that another process signed first keeps its checkpoint. */
export const storeCheckpoint = async (db: Queryable, { position, chain, signedAt, keyId, signature }: Checkpoint): Promise<void> => {
  await db.query(
    'INSERT INTO es_signed_checkpoint (position, chain, signed_at, key_id, signature) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (position) DO NOTHING',
    [String(position), Buffer.from(chain, 'hex'), signedAt, keyId, Buffer.from(signature, 'base64')],
  );
};
