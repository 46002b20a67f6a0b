import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Recorded } from '@app/kernel';
import fc from 'fast-check';
import { InvalidCursor, InvalidListRequest, ReadModelBehind, type Condition, type ListRequest, type ReadModels } from '../read-models';
import { OTHER, SITE, taskEvents as events } from './task-events';
import { tasks, type TaskRow } from './tasks';

/** Read models that hold exactly what these events fold to. */
export type ReadModelsWith = (events: readonly Recorded[]) => Promise<ReadModels>;

/** What every adapter of the read models must do; the database and the twin in memory answer alike. */
export const readModelsContract = (name: string, withEvents: ReadModelsWith, oracle: ReadModelsWith) =>
  describe(`Read models: ${name}`, () => {
    let reads: ReadModels;
    let twin: ReadModels;
    beforeAll(async () => {
      reads = await withEvents(events());
      twin = await oracle(events());
    });
    const list = (request: Partial<ListRequest> = {}) => reads.list<TaskRow>(tasks, { siteId: SITE, limit: 200, ...request });
    const ids = async (where: readonly Condition[]) => (await list({ where })).rows.map(({ id }) => id).sort();

    it('finds a row with the position of the last event that touched it, and only on its own site', async () => {
      const found = await reads.find<TaskRow>(tasks, SITE, 't01');
      expect(found).toEqual({
        id: 't01',
        siteId: SITE,
        title: 'zebra',
        tags: ['tag1', 'all'],
        size: 1,
        weight: 9_007_199_254_740_994n,
        isAssigned: true,
        assignee: 'bob',
        details: { n: '1' },
        moves: 1,
        position: 4n,
      });
      expect(await reads.find(tasks, OTHER, 't01')).toBeNull();
      expect(await reads.find(tasks, SITE, 'foreign')).toBeNull();
      expect(await reads.find(tasks, SITE, 'nothing')).toBeNull();
      expect(await reads.find(tasks, SITE, 'nul\0')).toBeNull();
    });

    it('lists newest first by default, one site only', async () => {
      const { rows, nextCursor, position } = await list();
      expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 40 }, (_, i) => `t${String(39 - i).padStart(2, '0')}`));
      expect(nextCursor).toBeNull();
      expect(position).toBe(BigInt(events().length));
    });

    it('pages through every row exactly once, in order, nulls included', async () => {
      for (const field of ['id', 'assignee', 'title', 'size', 'weight', 'isAssigned', 'moves', 'position']) {
        for (const direction of ['asc', 'desc'] as const) {
          const sort = { field, direction };
          const whole = (await list({ sort })).rows.map(({ id }) => id);
          const paged: string[] = [];
          let cursor: string | null = null;
          do {
            const page = await list({ sort, limit: 7, ...(cursor !== null && { cursor }) });
            paged.push(...page.rows.map(({ id }) => id));
            cursor = page.nextCursor;
          } while (cursor !== null);
          expect({ sort, paged }).toEqual({ sort, paged: whole });
          expect(whole).toHaveLength(40);
          expect((await twin.list(tasks, { siteId: SITE, sort, limit: 200 })).rows.map(({ id }) => id)).toEqual(whole);
        }
      }
    });

    it('filters by fields and by keys inside jsonb', async () => {
      expect(await ids([{ path: 'assignee', is: 'eq', value: 'ada' }])).toEqual(['t03', 't09', 't15', 't21', 't27', 't33', 't39']);
      expect(await ids([{ path: 'title', is: 'contains', value: 'ÄRG' }])).toEqual(['t00', 't10', 't20', 't30']);
      expect(await ids([{ path: 'title', is: 'contains', value: '%' }])).toEqual(['t05', 't15', 't25', 't35']);
      expect(
        await ids([
          { path: 'tags', is: 'contains', value: 'tag3' },
          { path: 'moves', is: 'gt', value: 0 },
        ]),
      ).toEqual(['t07', 't11', 't19', 't23', 't31', 't35']);
      expect(await ids([{ path: 'details.n', is: 'gt', value: 20 }])).toEqual(['t25', 't30', 't35']);
      expect(
        await ids([
          { path: 'details.list', is: 'contains', value: 'x' },
          { path: 'details.flag', is: 'eq', value: true },
        ]),
      ).toEqual(['t10', 't30']);
      expect(
        await ids([
          { path: 'weight', is: 'gte', value: 9_007_199_254_740_994n },
          { path: 'id', is: 'lt', value: 't04' },
        ]),
      ).toEqual(['t01', 't02', 't03']);
    });

    it('refuses what the declaration does not allow', async () => {
      const wrong: readonly Partial<ListRequest>[] = [
        { where: [{ path: 'title; DROP TABLE tasks', is: 'eq', value: 'x' }] },
        { where: [{ path: 'constructor', is: 'eq', value: 'x' }] },
        { where: [{ path: 'title.key', is: 'eq', value: 'x' }] },
        { where: [{ path: 'details.', is: 'eq', value: 'x' }] },
        { where: [{ path: 'size', is: 'eq', value: '1; --' }] },
        { where: [{ path: 'size', is: 'contains', value: 1 }] },
        { where: [{ path: 'assignee', is: 'in', value: 'ada' }] },
        { where: [{ path: 'title', is: 'eq', value: 'nul\0' }] },
        { where: [{ path: 'details.a', is: 'eq', value: 'nul\0' }] },
        { where: [{ path: 'weight', is: 'eq', value: 1.5 }] },
        { sort: { field: 'details', direction: 'asc' } },
        { sort: { field: 'nothing', direction: 'asc' } },
        { limit: 0 },
        { limit: 201 },
        { limit: 1.5 },
      ];
      for (const request of wrong) await expect(list(request)).rejects.toThrow(InvalidListRequest);
    });

    it('treats keys and values as data, never as SQL', async () => {
      expect(await ids([{ path: `details.'; DROP TABLE tasks; --`, is: 'eq', value: `'; DROP TABLE tasks; --` }])).toEqual([]);
      expect(await ids([{ path: 'title', is: 'eq', value: `' OR true --` }])).toEqual([]);
      expect((await list()).rows).toHaveLength(40);
    });

    it('refuses a cursor that it did not give out', async () => {
      const { nextCursor } = await list({ limit: 5 });
      const sorted = await list({ limit: 5, sort: { field: 'title', direction: 'asc' } });
      const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const bad = [
        'x',
        '',
        'eyJ9',
        nextCursor!.slice(0, -3),
        sorted.nextCursor!,
        forged(['other', 'id', 'desc', 't', 't']),
        forged(['tasks', 'id', 'desc', 5, 't']),
        forged(['tasks', 'id', 'desc', { a: 1 }, 't']),
        forged(['tasks', 'id', 'desc', 't', 'nul\0']),
        forged({}),
        forged(['tasks', 'id', 'up', 't', 't']),
      ];
      for (const cursor of bad) await expect(list({ cursor })).rejects.toThrow(InvalidCursor);
    });

    it('answers any allowed question as the twin in memory does', async () => {
      const value = fc.oneof(
        fc.constantFrom('ada', 'apple', 'Apple', 'x', 'v1', 'tag1', '', '1', 'text'),
        fc.integer({ min: -5, max: 40 }),
        fc.boolean(),
        fc.constant(null),
        fc.double({ noNaN: true, min: -10, max: 10 }),
      );
      const path = fc.constantFrom(
        'id',
        'title',
        'tags',
        'size',
        'weight',
        'isAssigned',
        'assignee',
        'details',
        'moves',
        'position',
        'details.n',
        'details.s',
        'details.list',
        'details.flag',
        'details.none',
      );
      const anything = fc.record({
        path,
        is: fc.constantFrom('eq', 'in', 'gt', 'gte', 'lt', 'lte', 'contains'),
        value: fc.oneof(value, fc.array(value, { maxLength: 3 })),
      });
      const order = fc.constantFrom('eq', 'gt', 'gte', 'lt', 'lte');
      const texts = fc.record({
        path: fc.constantFrom('id', 'title', 'assignee', 'details.s'),
        is: fc.oneof(order, fc.constant('contains')),
        value: fc.constantFrom('ada', 'apple', 't2', 'v1', ''),
      });
      const numbers = fc.record({
        path: fc.constantFrom('size', 'weight', 'moves', 'position', 'details.n'),
        is: order,
        value: fc.integer({ min: -5, max: 60 }),
      });
      const condition = fc.oneof(anything, texts, numbers);
      const request = fc.record({
        where: fc.array(condition as fc.Arbitrary<Condition>, { minLength: 1, maxLength: 2 }),
        limit: fc.constantFrom(1, 3, 200),
        sort: fc.record({
          field: fc.constantFrom('id', 'title', 'assignee', 'size', 'weight'),
          direction: fc.constantFrom('asc' as const, 'desc' as const),
        }),
      });
      let answered = 0;
      await fc.assert(
        fc.asyncProperty(request, async (asked) => {
          const ask = async (of: ReadModels) =>
            of.list<TaskRow>(tasks, { siteId: SITE, ...asked }).then(
              ({ rows, nextCursor }) => ({ rows, nextCursor }),
              (error: Error) => ({ refused: error.message }),
            );
          const answer = await ask(reads);
          if ('rows' in answer && answer.rows.length > 0) answered++;
          expect(answer).toEqual(await ask(twin));
        }),
        { numRuns: 500 },
      );
      expect(answered).toBeGreaterThan(100);
    });

    it('tells its position, and waits for one until the deadline', async () => {
      const head = await reads.position(tasks);
      await reads.reached(tasks, head, 0);
      await expect(reads.reached(tasks, head + 1n, 30)).rejects.toThrow(new ReadModelBehind('tasks', head + 1n, head));
    });
  });
