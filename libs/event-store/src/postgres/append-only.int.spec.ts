import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { testDatabase, type TestDatabase } from '../../../../test/database';
import { catalogue, collectPages, command, newStream, note } from '../testing/samples';
import { migrateLog } from './migrate';
import { PostgresEventStore } from './postgres.event-store';

describe('the schema of the log', () => {
  let database: TestDatabase;
  let owner: Client;
  beforeAll(async () => {
    database = await testDatabase();
    owner = new Client(database);
    await owner.connect();
  });
  afterAll(async () => {
    await owner.end();
    await database.drop();
  });

  it('[LOG-022] refuses UPDATE, DELETE and TRUNCATE of events, also for the owner and a session that plays a replica', async () => {
    const store = await new PostgresEventStore({ connection: database, catalogue }).start();
    await store.append([{ streamId: newStream(), expected: 'none', events: [note()] }], [], command());
    const { rows } = await owner.query<{ owner: boolean; superuser: boolean }>(
      `SELECT pg_get_userbyid(relowner) = current_user AS owner, current_setting('is_superuser') = 'on' AS superuser FROM pg_class WHERE relname = 'es_event'`,
    );
    expect(rows).toEqual([{ owner: true, superuser: true }]);
    for (const role of ['origin', 'replica']) {
      await owner.query(`SET session_replication_role = ${role}`);
      for (const table of ['es_event', 'es_batch']) {
        const column = table === 'es_event' ? 'data' : 'root';
        const attempts = [
          `UPDATE ${table} SET ${column} = ${column}`, `UPDATE ${table} SET ${column} = ${column} WHERE false`, `DELETE FROM ${table}`, `TRUNCATE ${table}`, `TRUNCATE ${table} CASCADE`,
          `INSERT INTO ${table} SELECT * FROM ${table} ON CONFLICT (${table === 'es_event' ? 'position' : 'first_position'}) DO UPDATE SET ${column} = excluded.${column}`,
          `MERGE INTO ${table} t USING ${table} s ON t.${column} = s.${column} WHEN MATCHED THEN DELETE`,
        ];
        for (const attempt of attempts) await expect(owner.query(attempt)).rejects.toThrow('The log is append-only');
      }
    }
    await owner.query('RESET session_replication_role');
    expect(await collectPages(store.readAll(0n))).toHaveLength(1);
    await store.close();
  });

  it('[LOG-021] the store refuses to start when the transaction isolation is not READ COMMITTED', async () => {
    for (const level of ['repeatable read', 'serializable', 'read uncommitted']) {
      await owner.query(`ALTER DATABASE ${database.database} SET default_transaction_isolation = '${level}'`);
      const store = new PostgresEventStore({ connection: database, catalogue });
      await expect(store.start()).rejects.toThrow(`default_transaction_isolation is "${level}", but the event store needs "read committed"`);
      await store.close();
    }
    await owner.query(`ALTER DATABASE ${database.database} SET default_transaction_isolation = 'read committed'`);
    const store = await new PostgresEventStore({ connection: database, catalogue }).start();
    await store.close();
  });

  it('is brought up to date once, by however many processes start at the same moment', async () => {
    const empty = await testDatabase();
    const clients = await Promise.all(Array.from({ length: 5 }, async () => {
      const client = new Client(empty);
      await client.connect();
      return client;
    }));
    await clients[0]!.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await Promise.all(clients.map(migrateLog));
    const { rows } = await clients[0]!.query<{ name: string }>('SELECT name FROM es_migration ORDER BY name');
    expect(rows).toEqual([{ name: '0001-log.sql' }, { name: '0002-parked-events.sql' }]);
    await Promise.all(clients.map((client) => client.end()));
    await empty.drop();
  });

  it('is left as it is when a newer program has moved it on, and as it was when a step fails', async () => {
    const other = await testDatabase();
    const client = new Client(other);
    await client.connect();
    await client.query(`INSERT INTO es_migration (name) VALUES ('9999-from-the-future.sql'); DROP FUNCTION es_append`);
    await migrateLog(client);
    const functions = async () => (await client.query(`SELECT 1 FROM pg_proc WHERE proname = 'es_append'`)).rowCount;
    expect(await functions()).toBe(0);
    await client.query(`DELETE FROM es_migration`);
    await expect(migrateLog(client)).rejects.toThrow(`The log's schema could not be brought up to date: relation "es_event" already exists`);
    expect(await functions()).toBe(0);
    await client.end();
    await other.drop();
  });
});
