import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Pool } from 'pg';
import { testDatabase, type TestDatabase } from '../../../test/database';
import { deadlineCommand } from './deadline';
import { DeadlineTable, type SiteChange } from './deadline-table';
import { DueTimes } from './due-times';
import { migrateDeadlines } from './migrate';

const START = Date.parse('2030-01-01T10:00:00.000Z');
const key = fc.constantFrom('a', 'b', 'c');
const at = fc.integer({ min: 0, max: 9 }).map((hours) => new Date(START + hours * 3_600_000).toISOString());
const siteOf = (name: string) => (name === 'c' ? 'site_2' : 'site_1');
const change: fc.Arbitrary<SiteChange> = fc
  .tuple(
    fc.oneof(
      fc.record({ set: key, at, topic: fc.constantFrom('x', 'y') }),
      fc.record({ move: key, at }),
      fc.record({ clear: key }),
      fc.record({ wakeSite: fc.constantFrom('site_1', 'site_2'), at }),
    ),
    fc.constantFrom('event-1', 'event-2', 'event-3'),
  )
  .map(([each, eventId]) => ({ siteId: 'set' in each ? siteOf(each.set) : 'site_1', change: each, eventId }));

describe('The rows of deadlines', () => {
  let database: TestDatabase;
  let pool: Pool;
  let n = 0;
  beforeAll(async () => {
    database = await testDatabase();
    pool = new Pool({ ...database, max: 2 });
    pool.on('error', () => undefined);
    await migrateDeadlines(pool);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });
  const rowsOf = async (scheduler: string) =>
    (await pool.query<object>('SELECT key, site_id, topic, due_ms, next_ms, attempts, event_id FROM deadline WHERE scheduler = $1 ORDER BY key', [scheduler])).rows;

  it('are the same whether changes are applied together or one by one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 4 }), fc.array(change, { minLength: 1, maxLength: 8 }), async (before, changes) => {
        const [together, apart] = [`together-${n}`, `apart-${n++}`];
        for (const scheduler of [together, apart]) for (const { siteId, change: each } of before) await new DeadlineTable(scheduler).apply(pool, { siteId, change: each, eventId: 'before' });
        await new DeadlineTable(together).applyAll(pool, changes);
        for (const each of changes) await new DeadlineTable(apart).apply(pool, each);
        expect(await rowsOf(together)).toEqual(await rowsOf(apart));
      }),
      { numRuns: 100 },
    );
  });

  it('are asked for what is due next, with one statement for all schedulers of a process', async () => {
    const [early, late, none] = [`early-${n}`, `late-${n}`, `none-${n++}`];
    for (const [scheduler, hours] of [[late, [7, 5]], [early, [2, 3]]] as const)
      for (const hour of hours) await new DeadlineTable(scheduler).apply(pool, { siteId: 'site_1', eventId: 'set', change: { set: `at-${hour}`, topic: 'x', at: new Date(START + hour * 3_600_000).toISOString() } });
    let statements = 0;
    const db = { connect: () => pool.connect(), query: (...asked: Parameters<Pool['query']>) => (statements++, pool.query(...asked)) } as unknown as Parameters<typeof DueTimes.of>[0];
    const next = await Promise.all([early, late, none].map((scheduler) => DueTimes.of(db).next(scheduler)));
    expect(next).toEqual([new Date(START + 2 * 3_600_000), new Date(START + 5 * 3_600_000), null]);
    expect(statements).toBe(1);
  });

  it('keep the event that set or moved them last, and a schedule that goes on keeps it; rows of an older version keep their ids over the upgrade', async () => {
    const table = new DeadlineTable(`events-${n++}`);
    const claimed = async () => (await table.claim(pool, new Date(START + 9 * 3_600_000)))!;
    await pool.query('ALTER TABLE deadline DROP COLUMN event_id');
    await pool.query('INSERT INTO deadline (scheduler, key, site_id, topic, due_ms, next_ms) VALUES ($1, $2, $3, $4, $5, $5)', [`events-${n - 1}`, 'a', 'site_1', 'x', START]);
    await migrateDeadlines(pool);
    const old = await claimed();
    expect([old.eventId, deadlineCommand('fire', old, 'as-ever')]).toEqual([null, 'as-ever']);
    await table.apply(pool, { siteId: 'site_1', eventId: 'event-1', change: { set: 'a', topic: 'x', at: new Date(START + 1).toISOString() } });
    expect(deadlineCommand('fire', await claimed(), 'as-ever')).toBe(`fire:event-1:a:${START + 1}`);
    await table.apply(pool, { siteId: 'site_1', eventId: 'event-2', change: { move: 'a', at: new Date(START + 2).toISOString() } });
    expect(deadlineCommand('fire', await claimed(), 'as-ever')).toBe(`fire:event-2:a:${START + 2}`);
    await table.dueAgain(pool, 'a', new Date(START + 3));
    expect(deadlineCommand('fire', await claimed(), 'as-ever')).toBe(`fire:event-2:a:${START + 3}`);
  });
});
