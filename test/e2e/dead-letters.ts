import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';

/** A letter as the queue leaves one after the last attempt, without waiting for three of them; its id. */
export const putLetter = async (pool: Pick<Pool, 'query'>, payload: unknown, { queue = 'agent-veto-commits', jobId = 'job-1', id = randomUUID() as string } = {}): Promise<string> => {
  await pool.query(
    `INSERT INTO pgboss.job (id, name, data, source_name, source_id, source_created_on, source_retry_count, source_output)
     VALUES ($3, 'agent-dead-letter', $1, $2, gen_random_uuid(), now(), 2, '{"message":"It broke"}')`,
    [JSON.stringify({ job: jobId, text: JSON.stringify(payload) }), queue, id],
  );
  return id;
};
