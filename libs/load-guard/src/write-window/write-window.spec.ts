import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { WriteWindow } from './write-window.policy';

const written = (collection: string) => ({ type: 'ItemPatched', data: { collection } });

describe('A write window', () => {
  it('tells each collection once, whatever was written to it and in whatever order', () => {
    const name = fc.constantFrom('products', 'articles', 'authors', 'tags');
    const append = fc.tuple(fc.constantFrom('item', 'collection', 'run'), fc.array(name, { minLength: 1, maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(append, { maxLength: 30 }), (appends) => {
        const window = new WriteWindow();
        for (const [category, names] of appends) window.note(`${category}-x`, names.map(written));
        const all = appends.flatMap(([category, names]) => (category === 'item' ? names : []));
        const flushed = window.flushed();
        expect(flushed.map(({ collection }) => collection)).toEqual([...new Set(all)].toSorted());
        for (const { collection, writes } of flushed) expect(writes).toBe(all.filter((each) => each === collection).length);
      }),
      { numRuns: 200 },
    );
  });

  it('has nothing to tell of a handler that wrote nothing', () => {
    expect(new WriteWindow().flushed()).toEqual([]);
  });
});
