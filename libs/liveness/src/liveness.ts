import type { Pool } from 'pg';
import { v7 } from 'uuid';

export type LivenessOptions = {
  /** How long a process counts as alive after its last heartbeat, in milliseconds. */
  readonly expiresMs?: number;
  readonly onError: (error: unknown) => void;
};

/** Long enough for a pause of the garbage collector or of a busy machine, short enough for a person who waits. */
export const HEARTBEAT_EXPIRES_MS = 10_000;
const BEATS_PER_EXPIRY = 5;

/**
 * Tells living processes from lost ones. Every process has an id and a row with its last heartbeat, by the database's clock, so that the
 * clocks of two machines need not agree. A process that ends well takes its row away and is known to be gone at once.
 */
export class Liveness {
  readonly id = `proc_${v7().replaceAll('-', '')}`;
  private timer: NodeJS.Timeout | undefined;
  private beating: Promise<void> = Promise.resolve();

  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly options: LivenessOptions,
  ) {}

  /** Resolves once the first heartbeat is stored: nothing that names this process is written before. */
  async start(): Promise<void> {
    await this.beat();
    const { expiresMs = HEARTBEAT_EXPIRES_MS, onError } = this.options;
    this.timer = setInterval(() => {
      this.beating = this.beat().catch(onError);
    }, expiresMs / BEATS_PER_EXPIRY);
    this.timer.unref();
  }

  /** Without a database the row simply ends its time. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.beating;
    await this.pool.query('DELETE FROM process_heartbeat WHERE process_id = $1', [this.id]).catch(this.options.onError);
  }

  /** Which of these processes are alive. */
  async alive(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const { rows } = await this.pool.query<{ process_id: string }>('SELECT process_id FROM process_heartbeat WHERE process_id = ANY($1) AND expires_at > clock_timestamp()', [ids]);
    return new Set(rows.map(({ process_id: id }) => id));
  }

  private async beat(): Promise<void> {
    const expiresMs = this.options.expiresMs ?? HEARTBEAT_EXPIRES_MS;
    await this.pool.query({
      name: 'process-heartbeat',
      text: `INSERT INTO process_heartbeat (process_id, expires_at) VALUES ($1, clock_timestamp() + $2 * interval '1 millisecond')
             ON CONFLICT (process_id) DO UPDATE SET expires_at = excluded.expires_at`,
      values: [this.id, expiresMs],
    });
  }
}
