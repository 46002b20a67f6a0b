import type { Database } from '@app/event-store';
import { Pool } from 'pg';
import { PgBoss } from 'pg-boss';
import { PgBossQueue, type PgBossQueueOptions } from '../pg-boss/pg-boss-queue';

type Server = { readonly host: string; readonly port: number; readonly user: string; readonly database: string };

/** A database and the processes that work on its queues; time passes in its rows. */
export const pgBossWorld = (connection: Server, options: Partial<PgBossQueueOptions> = {}) => {
  const pool = new Pool({ ...connection, max: 6 });
  pool.on('error', () => undefined);
  const queues: PgBossQueue[] = [];
  const sweeper = new PgBoss({ db: { executeSql: (text, values) => pool.query(text, values) }, schema: 'pgboss', supervise: false, schedule: false, registerInstance: false });
  return {
    pool,
    process(db: Database = pool, other: Partial<PgBossQueueOptions> = {}) {
      const queue = new PgBossQueue({ db, ...options, ...other });
      queues.push(queue);
      return queue;
    },
    pass: (ms: number) => pool.query(`UPDATE pgboss.job SET start_after = start_after - $1 * interval '1 ms' WHERE state < 'active'`, [ms]),
    /** Heartbeats are missed at once, and found now instead of at the next sweep in up to 5 s. */
    async crash() {
      await pool.query(`UPDATE pgboss.job SET heartbeat_on = heartbeat_on - interval '11 s' WHERE state = 'active'`);
      await pool.query('UPDATE pgboss.queue SET monitor_on = NULL, monitor_claim_on = NULL');
      await sweeper.start();
      await sweeper.supervise();
    },
    async close() {
      await Promise.all([...queues.map((queue) => queue.stop(0)), sweeper.stop({ graceful: false })]);
      await pool.end();
    },
  };
};

/** A process that can die: from then on nothing it says reaches the database and nothing reaches it. */
export const mortal = (pool: Pool): { readonly db: Database; die(): void } => {
  let dead = false;
  const never = new Promise<never>(() => undefined);
  const query = (async (text: string, values?: unknown[]) => {
    if (dead) return never;
    const answer = await pool.query(text, values);
    return dead ? never : answer;
  }) as Database['query'];
  return { db: { query, connect: () => pool.connect() }, die: () => (dead = true) };
};
