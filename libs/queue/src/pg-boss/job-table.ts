import type { Database } from '@app/event-store';
import type { DeadLetter } from '../dead-letter';
import type { Claim } from '../job-store';
import type { QueueDepth } from '../queue-provider';
import { AGENT_DEAD_LETTER } from '../queues';
import { SCHEMA } from './boss';

type LetterRow = {
  readonly id: string; readonly source_name: string; readonly source_created_on: Date; readonly source_retry_count: number;
  readonly source_output: { readonly message?: string; readonly value?: { readonly message?: string } } | null;
  readonly created_on: Date; readonly data: { readonly job: string; readonly text: string };
};
type DepthRow = { readonly queue: string; readonly waiting: string; readonly active: string; readonly delayed: string; readonly failed: string };

const LETTER = `id, source_name, source_created_on, source_retry_count, source_output, created_on, data FROM ${SCHEMA}.job WHERE name = '${AGENT_DEAD_LETTER}' AND state < 'active'`;

/** What pg-boss has no call for, or only a cached answer: its version is pinned, and the conformance suite reads these statements against it. */
export class JobTable {
  constructor(private readonly db: Database) {}

  /** pg-boss counts an attempt when it fetches a job that has `started_on`; without it the next fetch is the same attempt once more. */
  async giveBack(queue: string, claims: readonly Claim[]): Promise<void> {
    await this.db.query(
      `UPDATE ${SCHEMA}.job SET state = 'created', started_on = NULL, heartbeat_on = NULL, start_after = ${SCHEMA}.job_now()
       WHERE name = $1 AND id = ANY($2::uuid[]) AND state = 'active' AND id::text || ':' || retry_count = ANY($3)`,
      [queue, claims.map(({ id }) => id), claims.map(({ id, attempt }) => `${id}:${attempt - 1}`)],
    );
  }

  async depths(queues: readonly string[]): Promise<readonly QueueDepth[]> {
    const { rows } = await this.db.query<DepthRow>(
      `SELECT queue, coalesce(waiting, 0) AS waiting, coalesce(active, 0) AS active, coalesce(delayed, 0) AS delayed, coalesce(failed, 0) AS failed
       FROM unnest($1::text[]) AS queue
       LEFT JOIN (SELECT name, count(*) FILTER (WHERE start_after <= ${SCHEMA}.job_now()) AS waiting, count(*) FILTER (WHERE start_after > ${SCHEMA}.job_now()) AS delayed
                  FROM ${SCHEMA}.job WHERE name = ANY($1) AND state < 'active' GROUP BY name) AS queued ON queued.name = queue
       LEFT JOIN (SELECT name, count(*) AS active FROM ${SCHEMA}.job WHERE name = ANY($1) AND state = 'active' GROUP BY name) AS taken ON taken.name = queue
       LEFT JOIN (SELECT source_name, count(*) AS failed FROM ${SCHEMA}.job WHERE name = $2 AND state < 'active' GROUP BY source_name) AS dead ON dead.source_name = queue
       ORDER BY queue`,
      [queues, AGENT_DEAD_LETTER],
    );
    return rows.map(({ queue, waiting, active, delayed, failed }) => ({ queue, waiting: Number(waiting), active: Number(active), delayed: Number(delayed), failed: Number(failed) }));
  }

  letters = (limit: number, skip: number) => this.read(`SELECT ${LETTER} ORDER BY created_on, id LIMIT $1 OFFSET $2`, [limit, skip]);

  async letter(id: string): Promise<DeadLetter | null> {
    if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) return null;
    return (await this.read(`SELECT ${LETTER} AND id = $1`, [id]))[0] ?? null;
  }

  /** The mark names the letter, so it means nothing on the next letter of a job that was requeued and failed again. */
  unnoticed = (limit: number, skip: number) => this.read(`SELECT ${LETTER} AND data->>'told' IS DISTINCT FROM id::text ORDER BY created_on, id LIMIT $1 OFFSET $2`, [limit, skip]);

  async noticed(id: string): Promise<void> {
    await this.db.query(`UPDATE ${SCHEMA}.job SET data = jsonb_set(data, '{told}', to_jsonb(id::text)) WHERE name = '${AGENT_DEAD_LETTER}' AND id = $1`, [id]);
  }

  private async read(sql: string, values: unknown[]): Promise<readonly DeadLetter[]> {
    const { rows } = await this.db.query<LetterRow>(sql, values);
    return rows.map(letterOf);
  }
}

const letterOf = ({ id, source_name, source_created_on, source_retry_count, source_output, created_on, data }: LetterRow): DeadLetter => ({
  id, queue: source_name, jobId: data.job, payload: JSON.parse(data.text) as unknown, attempts: source_retry_count + 1,
  error: source_output?.message ?? source_output?.value?.message ?? 'It failed and did not say why.', enqueuedAt: source_created_on, failedAt: created_on,
});
