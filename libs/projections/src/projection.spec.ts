import type { Event, Recorded } from '@app/kernel';
import { describe, expect, it } from '@jest/globals';
import { project, projection, rowIdsOf, type AnyProjection, type Row } from './projection';
import { createIndexes } from './table/ddl';
import { shapeOf } from './table/shape';

type Counted = Row & { readonly count: number };
type Change = Event<'Added', { by: number }> | Event<'Removed', { by: number }> | Event<'Odd', { by: number }>;
const counts = projection<Counted, Change>({
  name: 'counts',
  version: 1,
  columns: { count: 'integer' },
  on: { Added: (row, { siteId, data }, id) => ({ id, siteId, count: (row?.count ?? 0) + data.by }), Removed: () => null },
});
const withAny = projection({ ...counts, any: (row: Counted | null, { siteId }, id) => ({ id, siteId, count: (row?.count ?? 0) - 1 }) });

const event = (type: string) =>
  ({ type, data: { by: 2 }, streamId: 'thing-a-b', siteId: 's' }) as unknown as Recorded<Event<'Added', { by: number }>>;

describe('A projection', () => {
  it('applies the handler of the event type to the row of the stream', () => {
    expect(rowIdsOf(counts, event('Added'))).toEqual(['a-b']);
    expect(project(counts, null, event('Added'), 'a-b')).toEqual({ id: 'a-b', siteId: 's', count: 2 });
    expect(project(counts, { id: 'a-b', siteId: 's', count: 2 }, event('Removed'), 'a-b')).toBeNull();
  });

  it('has an inverted index for each field that is searched by its keys, which only jsonb has', () => {
    const searched = (field: string) => shapeOf({ ...counts, columns: { count: 'integer', data: 'jsonb' }, searched: [field] } as unknown as AnyProjection);
    expect(createIndexes(searched('data'), 'counts', 'counts', 1)).toEqual([
      'CREATE INDEX IF NOT EXISTS "counts__g1_i0" ON "counts" ("site_id", "id")', 'CREATE INDEX IF NOT EXISTS "counts__g1_s0" ON "counts" USING gin ("data" jsonb_path_ops) WITH (fastupdate = off)',
    ]);
    expect(() => searched('count')).toThrow('cannot be searched by count');
  });

  it('does not look at a type without a handler', () => {
    expect(rowIdsOf(counts, event('Odd'))).toEqual([]);
    const row = { id: 'a-b', siteId: 's', count: 2 };
    expect(project(counts, row, event('Odd'), 'a-b')).toBe(row);
    expect(rowIdsOf(counts, event('toString'))).toEqual([]);
  });

  it('applies `any` to every type without a handler of its own', () => {
    expect(rowIdsOf(withAny, event('Odd'))).toEqual(['a-b']);
    expect(project(withAny, null, event('Odd'), 'x')).toEqual({ id: 'x', siteId: 's', count: -1 });
    expect(project(withAny, null, event('Added'), 'x')).toEqual({ id: 'x', siteId: 's', count: 2 });
  });
});
