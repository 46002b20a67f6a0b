import { idOf } from '@app/kernel';
import type { Pool } from 'pg';

/** Every site of the installation: each has a stream of its rules. */
export const siteIds = async (pool: Pool): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ stream_id: string }>(`SELECT stream_id FROM es_stream WHERE stream_id >= 'governance-' AND stream_id < 'governance.'`);
  return rows.map(({ stream_id: streamId }) => idOf(streamId));
};
