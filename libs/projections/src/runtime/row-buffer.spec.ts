import type { Recorded } from '@app/kernel';
import { describe, expect, it } from '@jest/globals';
import type { AnyProjection } from '../projection';
import { PoisonEvent, RowBuffer } from './row-buffer';
import { SeenIds } from './seen-ids';

const p: AnyProjection = {
  name: 'pairs', version: 1, columns: { last: 'text', note: 'text' },
  rowIds: ({ data }) => (data as { ids: string[] }).ids,
  on: {
    Put: (_row, { siteId, eventId, data }, id) => {
      if ((data as { bad?: string }).bad === id) throw new Error('bad row');
      return { id, siteId, last: eventId } as never;
    },
    Cut: () => null,
    Seen: (row) => row,
  },
};
let position = 0n;
const event = (type: string, ids: readonly string[], data: object = {}) =>
  ({ type, data: { ids, ...data }, position: ++position, eventId: `e${position}`, siteId: 's', streamId: 'x-1' }) as unknown as Recorded;
const put = (...ids: string[]) => event('Put', ids);

describe('The rows a fold works on', () => {
  it('tell what is new, what changed and what goes', () => {
    const rows = new RowBuffer(p, 100);
    const first = [put('a', 'b'), put('c')];
    expect(rows.missing(first)).toEqual(['a', 'b', 'c']);
    rows.loaded(['a', 'b', 'c'], [{ row: { id: 'b', siteId: 's' }, position: 1n }]);
    for (const each of first) rows.apply(each);
    rows.apply(event('Cut', ['b']));
    expect(rows.pending()).toMatchObject({ added: [{ row: { id: 'a' } }, { row: { id: 'c' } }], changed: [], removed: ['b'] });
    rows.settle();
    rows.apply(put('a'));
    rows.apply(event('Cut', ['c', 'never']));
    expect(rows.pending()).toMatchObject({ added: [], changed: [{ row: { id: 'a' } }], removed: ['c'] });
  });

  it('stay as they are when one of several rows of an event fails', () => {
    const rows = new RowBuffer(p, 100, true);
    expect(() => rows.apply(event('Put', ['a', 'b'], { bad: 'b' }))).toThrow(PoisonEvent);
    expect(rows.pending()).toEqual({ added: [], changed: [], removed: [] });
  });

  it('show a field that a handler leaves out as null, as a reload would', () => {
    const rows = new RowBuffer(p, 100, true);
    rows.apply(put('a'));
    expect(rows.pending().added[0]!.row).toEqual({ id: 'a', siteId: 's', last: `e${position}`, note: null });
  });

  it('do not count an event that returns the very row it was given', () => {
    const rows = new RowBuffer(p, 100, true);
    rows.apply(put('a'));
    rows.settle();
    rows.apply(event('Seen', ['a']));
    expect(rows.pending().changed).toEqual([]);
  });

  it('hand over what was folded, whatever is folded afterwards', () => {
    const rows = new RowBuffer(p, 100, true);
    rows.apply(put('a'));
    const { added } = rows.pending();
    const was = position;
    rows.settle();
    rows.apply(put('a'));
    expect(added[0]).toMatchObject({ position: was, row: { last: `e${was}` } });
  });

  it('ask only for rows that may exist, also after rows were dropped from memory', () => {
    const rows = new RowBuffer(p, 10, true);
    for (let i = 0; i < 50; i++) {
      expect(rows.missing([put(`r${i}`)])).toEqual([]);
      rows.apply(put(`r${i}`));
      rows.settle();
    }
    expect(rows.missing([put('r0'), put('r49'), put('new')])).toEqual(['r0']);
  });
});

describe('The filter of written ids', () => {
  it('never forgets one and rarely invents one', () => {
    const seen = new SeenIds();
    for (let i = 0; i < 100_000; i++) seen.add(`goal_${i}`);
    for (let i = 0; i < 100_000; i += 7) expect(seen.has(`goal_${i}`)).toBe(true);
    let wrong = 0;
    for (let i = 0; i < 100_000; i++) if (seen.has(`run_${i}`)) wrong++;
    expect(wrong).toBeLessThan(100);
  });
});
