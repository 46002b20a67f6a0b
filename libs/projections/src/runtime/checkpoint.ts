import type { Generation, Queries } from './generations';

/** `stored` is what the database holds, `reached` how far the rows in fact are: events that touch no row move only the latter. */
export type Checkpoint = { readonly of: Generation; stored: bigint; reached: bigint; readonly onLost: () => void };

/** Other processes wait for a checkpoint to move. 25 ms keeps them short and costs 40 statements/s at the very most. */
const COALESCE_MS = 25;

/**
 * Stores the positions of projections that had nothing to write: one statement for all of them, at most every 25 ms.
 * Otherwise each of some 25 read models would write a row for every event of the others.
 */
export class IdleCheckpoints {
  private readonly due = new Set<Checkpoint>();
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> | undefined;

  constructor(
    private readonly db: Queries,
    private readonly onError: (error: unknown) => void,
  ) {}

  note(checkpoint: Checkpoint): void {
    this.due.add(checkpoint);
    if (!this.flushing) this.timer ??= setTimeout(() => void this.flush(), COALESCE_MS);
  }

  /** To be called before a projection writes by itself: afterwards nothing touches its checkpoint but the caller. */
  async claim(checkpoint: Checkpoint): Promise<void> {
    this.due.delete(checkpoint);
    await this.flushing;
  }

  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    while (this.flushing) await this.flushing;
    if (this.due.size === 0) return;
    const batch = [...this.due].map((checkpoint) => ({ checkpoint, to: checkpoint.reached }));
    this.due.clear();
    this.flushing = this.store(batch).catch((error: unknown) => {
      // Stored or not, the next try tells: a checkpoint that moved after all is then reported as lost and read again.
      for (const { checkpoint } of batch) this.due.add(checkpoint);
      this.onError(error);
    });
    await this.flushing;
    this.flushing = undefined;
    if (this.due.size > 0) this.timer ??= setTimeout(() => void this.flush(), COALESCE_MS);
  }

  private async store(batch: readonly { readonly checkpoint: Checkpoint; readonly to: bigint }[]) {
    const { rows } = await this.db.query<{ name: string }>({
      name: 'projections-idle',
      text: `WITH due AS (
          SELECT e.name AS n, e.generation AS g, due.after FROM es_projection e
          JOIN unnest($1::text[], $2::integer[], $3::bigint[], $4::bigint[], $5::bigint[]) AS due (name, generation, fence, before, after)
            ON e.name = due.name AND e.generation = due.generation AND e.fence = due.fence
              AND e.position = due.before AND e.state = 'running'
          ORDER BY e.name, e.generation FOR UPDATE OF e)
        UPDATE es_projection SET position = due.after FROM due WHERE name = n AND generation = g RETURNING name`,
      values: [
        batch.map(({ checkpoint }) => checkpoint.of.name),
        batch.map(({ checkpoint }) => checkpoint.of.generation),
        batch.map(({ checkpoint }) => String(checkpoint.of.fence)),
        batch.map(({ checkpoint }) => String(checkpoint.stored)),
        batch.map(({ to }) => String(to)),
      ],
    });
    const stored = new Set(rows.map(({ name }) => name));
    for (const { checkpoint, to } of batch) {
      if (stored.has(checkpoint.of.name)) checkpoint.stored = to;
      else checkpoint.onLost();
    }
  }
}
