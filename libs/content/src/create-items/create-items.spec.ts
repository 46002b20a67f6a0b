import { describe, expect, it } from '@jest/globals';
import { articles, articleFields, AT, itemCreated, noCollection } from '../content.examples';
import { item, type Item } from '../item.state';
import { batchesOf } from '../import-items/import-line';
import { re2Patterns } from '../re2-patterns';
import { decideCreateItems } from './create-items.decide';

const context = { siteId: 'site_a', now: new Date(AT) };
const none = (count: number): readonly Item[] => Array.from({ length: count }, () => item.initial);
const decide = (items: readonly Record<string, unknown>[], schema = articles(), states = none(items.length)) => decideCreateItems(states, schema, { items: [...items] }, context, re2Patterns);
const pointersOf = (decision: ReturnType<typeof decide>) => (decision.ok ? [] : ((decision.rejection.facts?.['errors'] ?? []) as readonly { pointer: string }[]).map(({ pointer }) => pointer));

describe('A batch of items', () => {
  it('is created as a whole, each item as it would be by itself', () => {
    const decision = decide([{ title: 'One', status: 'draft' }, { title: 'Two', status: 'published', body: null }]);
    expect(decision).toMatchObject({ ok: true, events: [[itemCreated({ title: 'One', status: 'draft' })], [itemCreated({ title: 'Two', status: 'published' })]] });
  });

  it('is refused as a whole when one does not fit, with every reason under the place of its item', () => {
    expect(pointersOf(decide([{ title: 'One', status: 'draft' }, { status: 'lost' }, { title: 'x'.repeat(21), status: 'draft', colour: 'red' }]))).toEqual(['/items/1/title', '/items/1/status', '/items/2/colour', '/items/2/title']);
    expect(pointersOf(decide(Array.from({ length: 300 }, () => ({}))))).toHaveLength(100);
    expect(decide([{ title: 'One', status: 'draft' }], noCollection)).toMatchObject({ ok: false, rejection: { code: 'FORBIDDEN' } });
  });

  it('meets the items that it made before, and makes no more', () => {
    const made = item.evolve(item.initial, itemCreated({ title: 'One', status: 'draft' }));
    expect(decide([{ title: 'One', status: 'draft' }], articles(), [made])).toEqual({ ok: true, events: [[]] });
  });

  it('holds no more to be matched against patterns than others can wait for', () => {
    const schema = articles([...articleFields, { name: 'code', type: 'longtext', constraints: { pattern: '^[a-z]+$' } }]);
    const row = { title: 'One', status: 'draft', code: 'a'.repeat(9_000) };
    expect(decide(Array.from({ length: 11 }, () => row), schema).ok).toBe(true);
    expect(pointersOf(decide(Array.from({ length: 12 }, () => row), schema))).toEqual(['/items']);
  });
});

describe('Batches of an import', () => {
  const sizes = async (weights: readonly number[]) => {
    async function* items() {
      yield* await Promise.resolve(weights);
    }
    const batches: (readonly number[])[] = [];
    for await (const batch of batchesOf(items(), { size: 3, weight: 10, weightOf: (weight) => weight })) batches.push(batch);
    return batches;
  };

  it('are full, or as heavy as they may be, in the order of the items', async () => {
    expect(await sizes([1, 2, 3, 4])).toEqual([[1, 2, 3], [4]]);
    expect(await sizes([6, 5, 5, 11, 1])).toEqual([[6], [5, 5], [11], [1]]);
    expect(await sizes([])).toEqual([]);
  });
});
