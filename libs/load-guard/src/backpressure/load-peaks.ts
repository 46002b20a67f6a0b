import { begin, type Database } from '@app/event-store';

/** How long a release may take before the database lets others go on. */
const RELEASE_WITHIN_MS = 30_000;

/**
 * The last moment at which any process was above a threshold: the calm has to hold in all of them. One row, gone when the pressure is over; it is
 * locked while sites are released, so that a peak of another process is either before the release, and stops it, or after it, and counts anew.
 */
export class LoadPeaks {
  constructor(private readonly db: Database) {}

  async note(at: Date): Promise<void> {
    await this.db.query(
      `INSERT INTO load_peak AS p (id, at_ms) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET at_ms = greatest(p.at_ms, excluded.at_ms)`,
      [at.getTime()],
    );
  }

  /** Calls `release` with the last peak when it is calm, and forgets the peak when that succeeds. */
  async release(isCalm: (lastPeakAt: Date) => boolean, release: (lastPeakAt: Date) => Promise<void>): Promise<void> {
    if (!(await this.exists())) return;
    const connection = await this.db.connect();
    const lost = () => undefined;
    connection.on('error', lost);
    let broken = true;
    try {
      await begin(connection, RELEASE_WITHIN_MS);
      const { rows } = await connection.query<{ at_ms: string }>('SELECT at_ms FROM load_peak FOR UPDATE SKIP LOCKED');
      const last = rows[0] && new Date(Number(rows[0].at_ms));
      if (last && isCalm(last)) {
        await release(last);
        await connection.query('DELETE FROM load_peak');
      }
      await connection.query('COMMIT');
      broken = false;
    } finally {
      connection.removeListener('error', lost);
      connection.release(broken);
    }
  }

  private exists = async () => ((await this.db.query('SELECT 1 FROM load_peak')).rowCount ?? 0) > 0;
}
