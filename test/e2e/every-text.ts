import type { Pool } from 'pg';

/** Every row of every table of a database as text: what somebody reads who has a copy of it. */
export const everyText = async (pool: Pool): Promise<string> => {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of rows) {
    const { rows: found } = await pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t`);
    texts.push(`${name}: ${found.map(({ row }) => row).join('\n')}`);
  }
  return texts.join('\n');
};
