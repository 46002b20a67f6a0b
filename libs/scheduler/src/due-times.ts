import type { Database } from '@app/event-store';

type Row = { readonly scheduler: string; readonly next_ms: string | null };
type Question = { readonly names: Set<string>; readonly answer: Promise<ReadonlyMap<string, Date | null>> };

/** The schedulers of a process look at the same beat; what they ask within so many milliseconds is one statement. */
const GATHER_MS = 5;
const known = new WeakMap<Database, DueTimes>();

/** When something is due next, per scheduler: a look without a transaction, so that an idle server asks once a beat and locks nothing. */
export class DueTimes {
  private asking: Question | undefined;

  private constructor(private readonly db: Database) {}

  static of(db: Database): DueTimes {
    const times = known.get(db) ?? new DueTimes(db);
    known.set(db, times);
    return times;
  }

  /** Null when nothing is set. What another process is firing at this moment still counts as due. */
  async next(scheduler: string): Promise<Date | null> {
    this.asking ??= this.ask();
    this.asking.names.add(scheduler);
    return (await this.asking.answer).get(scheduler) ?? null;
  }

  private ask(): Question {
    const names = new Set<string>();
    const answer = new Promise<void>((ask) => setTimeout(ask, GATHER_MS)).then(async () => {
      this.asking = undefined;
      const { rows } = await this.db.query<Row>(
        `SELECT asked.name AS scheduler, (SELECT next_ms FROM deadline WHERE scheduler = asked.name ORDER BY next_ms LIMIT 1) AS next_ms
         FROM unnest($1::text[]) AS asked (name)`,
        [[...names]],
      );
      return new Map(rows.map(({ scheduler, next_ms: ms }) => [scheduler, ms === null ? null : new Date(Number(ms))]));
    });
    return { names, answer };
  }
}
