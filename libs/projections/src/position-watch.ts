import type { DataSource } from 'typeorm';
import type { ProjectionProgress } from './progress';

const POLL_MS = 5;

/**
 * Serving positions as the database has them. One statement every 5 ms serves all waiters of the process, and none runs without waiters;
 * projections that this process leads itself are not asked for, their progress comes by itself.
 */
export class PositionWatch {
  private polling = false;

  constructor(private readonly source: DataSource, private readonly progress: ProjectionProgress) {}

  async position(name: string): Promise<bigint> {
    return this.progress.position(name) ?? (await this.stored([name])).get(name) ?? 0n;
  }

  async reached(name: string, position: bigint, timeoutMs: number): Promise<boolean> {
    if ((await this.position(name)) >= position) return true;
    const reached = this.progress.wait(name, position, timeoutMs);
    if (this.progress.position(name) === undefined) this.poll();
    return reached;
  }

  private poll() {
    if (this.polling) return;
    this.polling = true;
    const again = () => {
      const names = this.progress.waiting;
      if (names.length === 0) {
        this.polling = false;
        return;
      }
      const led = names.every((name) => this.progress.position(name) !== undefined);
      (led ? Promise.resolve(new Map<string, bigint>()) : this.stored(names))
        .then((positions) => { for (const [name, position] of positions) this.progress.observe(name, position); })
        // The database is away: waiters have their own deadline, the next look may succeed.
        .catch(() => undefined)
        .finally(() => setTimeout(again, POLL_MS));
    };
    again();
  }

  private async stored(names: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
    const rows = await this.source.query<{ name: string; position: string }[]>(
      `SELECT name, position FROM es_projection WHERE role = 'serving' AND name = ANY($1)`, [names],
    );
    return new Map(rows.map(({ name, position }) => [name, BigInt(position)]));
  }
}
