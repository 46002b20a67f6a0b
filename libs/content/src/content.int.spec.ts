import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ItemRevisionView, ItemView } from './contract';
import { onPostgres } from './testing/on-postgres';
import { inMemory, runningContent, type RunningContent } from './testing/running-content';

const fields = [
  { name: 'title', type: 'longtext', required: true },
  { name: 'price', type: 'number' },
  { name: 'stock', type: 'integer' },
  { name: 'kind', type: 'enum', constraints: { options: ['a', 'b'] } },
  { name: 'since', type: 'date' },
  { name: 'fresh', type: 'boolean' },
  { name: 'more', type: 'json' },
];
const awkward = [
  { title: 'Quote " \\ {brace} \\N \t\n', price: -0.5, stock: 9_007_199_254_740_991, more: { 'ü"': [null, { deep: '\\u0000' }] } },
  { title: '', price: 10, stock: -3, kind: 'a', since: '2028-02-29', fresh: false },
  { title: 'Ärger 日本 😀', price: 9, kind: 'b', since: '2027-01-01', fresh: true, more: [] },
  { title: '100%_', price: 1e-7, kind: 'a', since: '0001-01-01', more: 'text' },
];
const filters = [
  {},
  { price: { gt: 9 } },
  { price: { lte: 9, gte: 0 } },
  { price: 10 },
  { price: { in: [9, 10] } },
  { stock: { lt: 0 } },
  { stock: 9_007_199_254_740_991 },
  { kind: 'a' },
  { kind: { in: ['a', 'b'] } },
  { since: { gte: '2027-01-01' } },
  { since: { lt: '2027-01-01' } },
  { fresh: false },
  { title: '' },
  { title: { contains: 'äRGER' } },
  { title: { contains: '%_' } },
  { title: { contains: '"' } },
  { title: { in: ['', '100%_'] }, kind: 'a' },
];

describe('Content in PostgreSQL', () => {
  let content: RunningContent;
  let twin: RunningContent;

  const filled = async (running: RunningContent) => {
    await running.send('POST', '/collections', { body: { name: 'things', fields } });
    const ids: string[] = [];
    for (const data of awkward) ids.push((await running.send<ItemView>('POST', '/items/things', { body: { data } })).data.id);
    return {
      running,
      ids,
      position: (await running.send('PATCH', `/items/things/${ids[3]}`, { body: { data: { more: { then: 'gone' }, since: null } } }))
        .position,
    };
  };
  let sides: Awaited<ReturnType<typeof filled>>[];

  beforeAll(async () => {
    [content, twin] = await Promise.all([runningContent(onPostgres), runningContent(inMemory)]);
    sides = await Promise.all([content, twin].map(filled));
  });
  afterAll(() => Promise.all([content.close(), twin.close()]));

  it('lists what was written, character for character, however it is filtered', async () => {
    for (const filter of filters) {
      const [stored, expected] = await Promise.all(
        sides.map(async ({ running, position }) => {
          const query = new URLSearchParams({ filter: JSON.stringify(filter), minPosition: position, sort: 'createdAt' });
          const { status, data } = await running.send<ItemView[]>('GET', `/items/things?${query}`);
          return { filter, status, data: data.map(({ data: values, version }) => ({ values, version })) };
        }),
      );
      expect(stored).toEqual(expected);
      expect(stored).toMatchObject({ status: 200 });
    }
  });

  it('reads one item as it lists it', async () => {
    const { ids, position } = sides[0]!;
    const { data: listed } = await content.send<ItemView[]>('GET', `/items/things?minPosition=${position}`);
    for (const id of ids) expect((await content.send('GET', `/items/things/${id}`)).data).toEqual(listed.find((each) => each.id === id));
  });

  it('keeps the revisions of an item after it is gone', async () => {
    const { ids } = sides[0]!;
    const { position } = await content.send('DELETE', `/items/things/${ids[3]}`);
    const { data } = await content.send<ItemRevisionView[]>('GET', `/items/things/${ids[3]}/revisions?minPosition=${position}`);
    expect(data.map(({ revision, action }) => [revision, action])).toEqual([
      [3, 'deleted'],
      [2, 'updated'],
      [1, 'created'],
    ]);
    expect(data[1]!.changes).toEqual([
      { field: 'more', before: 'text', after: { then: 'gone' } },
      { field: 'since', before: '0001-01-01', after: null },
    ]);
    expect((await content.send('GET', `/items/things/${ids[3]}`)).status).toBe(410);
  });

  it('lets no item slip past a field that is added at the same time', async () => {
    await content.send('POST', '/collections', { body: { name: 'race', fields: [] } });
    const field = { name: 'must', type: 'text', required: true };
    const [added, ...made] = await Promise.all([
      content.send('POST', '/collections/race/fields', { body: field }),
      ...Array.from({ length: 20 }, () => content.send<ItemView>('POST', '/items/race', { body: { data: {} } })),
    ]);
    expect(added.status).toBe(201);
    for (const { status, position } of made) {
      expect([201, 422]).toContain(status);
      if (status === 201) expect(BigInt(position)).toBeLessThan(BigInt(added.position));
    }
  });
});
