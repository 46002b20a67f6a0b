import type { Pool } from 'pg';

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The names of all tables of the product's database. */
export const tablesOf = async (pool: Pool): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ name: string }>(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`);
  return rows.map(({ name }) => name);
};

/** The tables that hold a text anywhere in any row. */
export const tablesHolding = async (pool: Pool, text: string): Promise<readonly string[]> => {
  const holding: string[] = [];
  for (const table of await tablesOf(pool)) {
    const { rowCount } = await pool.query(`SELECT 1 FROM ${quoted(table)} t WHERE strpos(t::text, $1) > 0 LIMIT 1`, [text]);
    if (rowCount) holding.push(table);
  }
  return holding;
};

/** How many rows of a table have no site, and whether the column allows that. */
export const rowsWithoutSite = async (pool: Pool, table: string): Promise<{ readonly rows: number; readonly without: number; readonly nullable: boolean }> => {
  const { rows: columns } = await pool.query<{ nullable: string }>(
    `SELECT is_nullable AS nullable FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1 AND column_name = 'site_id'`,
    [table],
  );
  if (!columns[0]) throw new Error(`${table} has no column site_id`);
  const counted = await pool.query<{ rows: string; without: string }>(`SELECT count(*) AS rows, count(*) FILTER (WHERE site_id IS NULL OR site_id = '') AS without FROM ${quoted(table)}`);
  const { rows, without } = counted.rows[0]!;
  return { rows: Number(rows), without: Number(without), nullable: columns[0].nullable === 'YES' };
};
