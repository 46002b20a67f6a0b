import { randomInt } from 'node:crypto';
import type { Transaction } from './database';
import type { Leases } from './lease';
import { LEASE_CHANNEL } from './lease-wakes';

/**
 * Who works on a sliced consumer, so that everybody can tell his fair share of slices. A member is a row of the lease table under the
 * consumer's name with a negative slice; it expires like a lease and is swept by whoever joins next.
 */
export class Membership {
  private seat = newSeat();
  private joined = false;

  constructor(
    private readonly db: Transaction,
    private readonly leases: Leases,
    private readonly name: string,
  ) {}

  /** Says that this process is alive and returns how many are. Joining wakes the others, who then make room. */
  async announce(): Promise<number> {
    while (!(await this.take())) this.seat = newSeat();
    if (!this.joined) {
      await this.db.query(
        `WITH gone AS (DELETE FROM es_consumer WHERE name = $1 AND slice < 0 AND expires_at <= clock_timestamp())
         SELECT pg_notify('${LEASE_CHANNEL}', $1)`,
        [this.name],
      );
      this.joined = true;
    }
    const { rows } = await this.db.query<{ members: number }>(
      'SELECT count(*)::int AS members FROM es_consumer WHERE name = $1 AND slice < 0 AND expires_at > clock_timestamp()',
      [this.name],
    );
    return Math.max(1, rows[0]!.members);
  }

  async leave(): Promise<void> {
    if (this.joined)
      await this.db.query('DELETE FROM es_consumer WHERE name = $1 AND slice = $2 AND owner = $3', [
        this.name,
        this.seat,
        this.leases.owner,
      ]);
    this.joined = false;
  }

  private async take(): Promise<boolean> {
    const { rowCount } = await this.db.query(
      `INSERT INTO es_consumer AS c (name, slice, position, fence, owner, expires_at)
       VALUES ($1, $2, 0, 0, $3, clock_timestamp() + $4 * interval '1 millisecond')
       ON CONFLICT (name, slice) DO UPDATE SET expires_at = clock_timestamp() + $4 * interval '1 millisecond' WHERE c.owner = $3`,
      [this.name, this.seat, this.leases.owner, this.leases.ttlMs],
    );
    return rowCount === 1;
  }
}

const newSeat = () => -randomInt(1, 2 ** 31);
