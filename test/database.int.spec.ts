import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { testDatabase, type TestDatabase } from './database';

const ask = async (connection: object, sql: string): Promise<unknown[]> => {
  const client = new Client(connection);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
};

describe('The database of a spec file', () => {
  let one: TestDatabase;
  let other: TestDatabase;
  beforeAll(async () => {
    [one, other] = await Promise.all([testDatabase(), testDatabase()]);
  });
  afterAll(() => Promise.all([one.drop(), other.drop()]));

  it('is a migrated copy that no other file writes to', async () => {
    await ask(one, 'CREATE TABLE mine AS SELECT 1 AS id');
    expect(await ask(other, `SELECT to_regclass('mine') AS mine, to_regclass('es_event') AS log`)).toEqual([{ mine: null, log: 'es_event' }]);
    expect(await ask(other, 'SELECT count(*)::int AS events FROM es_event')).toEqual([{ events: 0 }]);
  });

  it('is gone after the file', async () => {
    const third = await testDatabase();
    await third.drop();
    expect(await ask(one, `SELECT 1 FROM pg_database WHERE datname = '${third.database}'`)).toEqual([]);
  });
});
