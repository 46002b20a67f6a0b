import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { testDatabase, type TestDatabase } from '../../../test/database';
import { schemaOnce } from './schema-once';

const SHAPE = ['CREATE TABLE IF NOT EXISTS shelf (id int PRIMARY KEY)', 'ALTER TABLE shelf ADD COLUMN IF NOT EXISTS note text', 'CREATE INDEX IF NOT EXISTS shelf_note ON shelf (note)'];

describe('A migration', () => {
  let database: TestDatabase;
  let [one, other]: Client[] = [];
  beforeAll(async () => {
    database = await testDatabase();
    [one, other] = [new Client(database), new Client(database)];
    await Promise.all([one.connect(), other.connect()]);
  });
  afterAll(async () => {
    await Promise.all([one!.end(), other!.end()]);
    await database.drop();
  });
  const migrate = async (statements: readonly string[]) => {
    const once = await schemaOnce(one!);
    for (const statement of statements) await once.query(statement);
  };
  const columns = async () => (await one!.query<{ column_name: string }>(`SELECT column_name FROM information_schema.columns WHERE table_name = 'shelf' ORDER BY 1`)).rows.map((row) => row.column_name);

  it('neither waits for work under way nor holds it up when the tables have their shape already', async () => {
    await migrate(SHAPE);
    expect(await columns()).toEqual(['id', 'note']);
    await other!.query('BEGIN; LOCK TABLE shelf IN ROW EXCLUSIVE MODE');
    await one!.query(`SET lock_timeout = '200ms'`);
    await expect(one!.query(SHAPE[1]!)).rejects.toThrow(/lock timeout/);
    await migrate(SHAPE);
    await other!.query('ROLLBACK');
    await one!.query('RESET lock_timeout');
  });

  it('sends what is new, and everything that asks or writes, each time', async () => {
    await migrate([...SHAPE, 'ALTER TABLE shelf ADD COLUMN IF NOT EXISTS height int']);
    expect(await columns()).toEqual(['height', 'id', 'note']);
    const once = await schemaOnce(one!);
    for (const id of [1, 2]) await once.query('INSERT INTO shelf (id) VALUES ($1)', [id]);
    expect((await once.query<{ id: number }>('SELECT id FROM shelf ORDER BY id')).rows).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it('that failed is sent again', async () => {
    const broken = 'CREATE INDEX IF NOT EXISTS shelf_width ON shelf (width)';
    await expect(migrate([broken])).rejects.toThrow(/width/);
    await migrate(['ALTER TABLE shelf ADD COLUMN IF NOT EXISTS width int', broken]);
    expect((await one!.query(`SELECT FROM pg_indexes WHERE indexname = 'shelf_width'`)).rowCount).toBe(1);
  });
});
