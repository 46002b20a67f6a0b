import { EventStore, type AppendResult } from '@app/event-store';
import type { Recorded } from '@app/kernel';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { AnyProjection, Projection, Row } from '../projection';
import { eventually, ProjectionBench } from '../testing/bench';
import { ALL, foldOf } from '../testing/tasks';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Args<H> = NonNullable<H> extends (...args: infer A) => unknown ? A : never;
/** Fails to compile when a handler is ever given more than a row, an event and a key, or may answer more than a row. */
const handlerSeesNothingElse: [
  Same<Args<Projection['any']>, [row: Row | null, event: Recorded, rowId: string]>,
  Same<Args<Projection['on'][string]>, [row: Row | null, event: Recorded, rowId: string]>,
  Same<ReturnType<NonNullable<Projection['any']>>, Row | null>,
  Same<Args<Projection['rowIds']>, [event: Recorded]>,
] = [true, true, true, true];

/** A log that can be read and notes every attempt to write. */
class ReadOnly extends EventStore {
  attempts = 0;
  constructor(private readonly log: EventStore) {
    super();
  }
  override append(): Promise<AppendResult> {
    this.attempts++;
    return Promise.resolve({ ok: false, kind: 'overloaded' });
  }
  override recorded: EventStore['recorded'] = (...args) => this.log.recorded(...args);
  override read: EventStore['read'] = (...args) => this.log.read(...args);
  override readAll: EventStore['readAll'] = (...args) => this.log.readAll(...args);
  override follow: EventStore['follow'] = (...args) => this.log.follow(...args);
  override head = () => this.log.head();
  override versions: EventStore['versions'] = (...args) => this.log.versions(...args);
  override close = () => Promise.resolve();
}

describe('A rebuild', () => {
  let bench: ProjectionBench;
  beforeAll(async () => {
    bench = await ProjectionBench.open();
  });
  afterAll(() => bench.close());

  it('[PROJ-009] sends no command, notification or message', async () => {
    expect(handlerSeesNothingElse).not.toContain(false);
    for (let i = 0; i < 200; i++) await bench.append(`task-${i}`, { type: 'TaskOpened', data: { title: 't', tags: [], size: 1 } });
    const given: number[] = [];
    const counting = ALL.map((p): AnyProjection => ({
      ...p,
      any: (...args: Parameters<NonNullable<AnyProjection['any']>>) => {
        given.push(args.length);
        return p.any?.(...args) ?? args[0];
      },
    }));
    const store = new ReadOnly(bench.store);
    await bench.runtime(counting, { store });
    await bench.settled();
    const head = await bench.store.head();
    // Everything that is notified in this database while all read models are rebuilt: only the orders to the runtime itself may appear.
    const heard = new Set<string>();
    const { rows: before } = await bench.pool.query<{ tables: string[] }>(TABLES);
    const listener = new Client(bench.connection);
    await listener.connect();
    listener.on('notification', ({ channel }) => heard.add(channel));
    await bench.pool.query(SPY);
    for (const channel of ['es_projection', 'es_head', 'es_event', 'harness', 'pgboss']) await listener.query(`LISTEN ${channel}`);
    const control = bench.control(counting);
    given.length = 0;
    await control.rebuildAll();
    await eventually(
      () => control.status(),
      (all) => all.every(({ generation }) => generation === 2),
    );
    await listener.query('SELECT 1');
    await listener.end();
    expect(store.attempts).toBe(0);
    expect(await bench.store.head()).toBe(head);
    expect([...heard]).toEqual(['es_projection']);
    expect(new Set(given)).toEqual(new Set([3]));
    // Rows went into the read models' own tables and nowhere else: no job, no outbox, no log.
    expect(
      (await bench.pool.query<{ name: string }>('SELECT DISTINCT name FROM written_to ORDER BY 1')).rows.map(({ name }) => name),
    ).toEqual([]);
    expect(
      (await bench.pool.query<{ tables: string[] }>(TABLES)).rows[0]!.tables.filter((table) => !before[0]!.tables.includes(table)).sort(),
    ).toEqual(['activity__g1', 'task_load__g1', 'tasks__g1', 'written_to']);
    const log = await bench.log();
    for (const p of ALL) expect(await bench.rows(p)).toEqual(foldOf(p, log));
  });
});

const TABLES = `SELECT array_agg(relname::text) AS tables FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;

/** Notes every write into a table that is there before the rebuild and is neither a read model nor the projections' own book-keeping. */
const SPY = `
  CREATE TABLE written_to (name text);
  CREATE FUNCTION note_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO written_to VALUES (TG_TABLE_NAME); RETURN NULL; END $$;
  DO $$ DECLARE t text; BEGIN
    FOR t IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
      AND relname NOT IN ('written_to', 'es_projection', 'tasks', 'task_load', 'activity') LOOP
      EXECUTE format('CREATE TRIGGER spy AFTER INSERT OR UPDATE OR DELETE ON %I FOR EACH STATEMENT EXECUTE FUNCTION note_write()', t);
    END LOOP; END $$`;
