import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { testDatabase, type TestDatabase } from '../../../test/database';
import { migrate } from './migrate';

describe('Bringing a database up to date', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  it('holds up nobody, and is held up by nobody, who writes to any table of an up-to-date database', async () => {
    await migrate(database);
    const busy = new Client(database);
    await busy.connect();
    const { rows } = await busy.query<{ name: string }>(`SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`);
    expect(rows.length).toBeGreaterThan(20);
    await busy.query(`ALTER DATABASE ${database.database} SET lock_timeout = '200ms'`);
    await busy.query(`BEGIN; LOCK TABLE ${rows.map(({ name }) => name).join(', ')} IN ROW EXCLUSIVE MODE`);
    await migrate(database);
    await busy.query('ROLLBACK');
    await busy.end();
  });
});
