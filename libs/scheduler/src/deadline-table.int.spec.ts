import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Pool } from 'pg';
import { testDatabase, type TestDatabase } from '../../../test/database';
import { DeadlineTable, type SiteChange } from './deadline-table';
import { DueTimes } from './due-times';
import { migrateDeadlines } from './migrate';

const START = Date.parse('2030-01-01T10:00:00.000Z');
const key = fc.constantFrom('a', 'b', 'c');
const at = fc.integer({ min: 0, max: 9 }).map((hours) => new Date(START + hours * 3_600_000).toISOString());
const siteOf = (name: string) => (name === 'c' ? 'site_2' : 'site_1');
const change: fc.Arbitrary<SiteChange> = fc
  .oneof(
    fc.record({ set: key, at, topic: fc.constantFrom('x', 'y') }),
    fc.record({ move: key, at }),
    fc.record({ clear: key }),
    fc.record({ wakeSite: fc.constantFrom('site_1', 'site_2'), at }),
  )
  .map((each) => ({ siteId: 'set' in each ? siteOf(each.set) : 'site_1', change: each }));

describe('The rows of deadlines', () => {
  let database: TestDatabase;
  let pool: Pool;
  let n = 0;
  beforeAll(async () => {
    database = await testDatabase();
    pool = new Pool({ ...database, max: 2 });
    await migrateDeadlines(pool);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });
  const rowsOf = async (scheduler: string) =>
    (await pool.query<object>('SELECT key, site_id, topic, due_ms, next_ms, attempts FROM deadline WHERE scheduler = $1 ORDER BY key', [scheduler])).rows;

  it('are the same whether changes are applied together or one by one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 4 }), fc.array(change, { minLength: 1, maxLength: 8 }), async (before, changes) => {
        const [together, apart] = [`together-${n}`, `apart-${n++}`];
        for (const scheduler of [together, apart]) for (const { siteId, change: each } of before) await new DeadlineTable(scheduler).apply(pool, siteId, each);
        await new DeadlineTable(together).applyAll(pool, changes);
        for (const { siteId, change: each } of changes) await new DeadlineTable(apart).apply(pool, siteId, each);
        expect(await rowsOf(together)).toEqual(await rowsOf(apart));
      }),
      { numRuns: 100 },
    );
  });

  it('are asked for what is due next, with one statement for all schedulers of a process', async () => {
    const [early, late, none] = [`early-${n}`, `late-${n}`, `none-${n++}`];
    for (const [scheduler, hours] of [[late, [7, 5]], [early, [2, 3]]] as const)
      for (const hour of hours) await new DeadlineTable(scheduler).apply(pool, 'site_1', { set: `at-${hour}`, topic: 'x', at: new Date(START + hour * 3_600_000).toISOString() });
    let statements = 0;
    const db = { connect: () => pool.connect(), query: (...asked: Parameters<Pool['query']>) => (statements++, pool.query(...asked)) } as unknown as Parameters<typeof DueTimes.of>[0];
    const next = await Promise.all([early, late, none].map((scheduler) => DueTimes.of(db).next(scheduler)));
    expect(next).toEqual([new Date(START + 2 * 3_600_000), new Date(START + 5 * 3_600_000), null]);
    expect(statements).toBe(1);
  });
});
