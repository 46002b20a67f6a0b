import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ItemRevisionView, ItemView } from './contract';
import { runningContent, type RunningContent } from './testing/running-content';

const fields = [
  { name: 'title', type: 'text', required: true, constraints: { maxLength: 10 } },
  { name: 'price', type: 'number', constraints: { min: 0 } },
  { name: 'sku', type: 'text', constraints: { pattern: '^[A-Z]+$' } },
];

describe('Lists of content', () => {
  let content: RunningContent;
  const create = async (data: unknown, collection = 'products') =>
    (await content.send<ItemView>('POST', `/items/${collection}`, { body: { data } })).data;

  beforeAll(async () => {
    content = await runningContent();
    await content.send('POST', '/collections', { body: { name: 'products', fields } });
    await content.send('POST', '/collections', { body: { name: 'pages', fields } });
  });
  afterAll(() => content.close());

  it('[CONTENT-011] lists the revisions of an item, newest first, also when it is gone', async () => {
    const { id } = await create({ title: 'Nail' });
    const at = `/items/products/${id}`;
    await content.send('PATCH', at, { key: 'hk_job', body: { data: { title: 'Nails', price: 2 } } });
    const { position } = await content.send('DELETE', at);
    const first = await content.send<ItemRevisionView[]>('GET', `${at}/revisions?limit=2&minPosition=${position}`);
    const rest = await content.send<ItemRevisionView[]>('GET', `${at}/revisions?limit=2&cursor=${first.nextCursor}`);
    expect([...first.data, ...rest.data]).toMatchObject([
      {
        itemId: id,
        revision: 3,
        action: 'deleted',
        authorType: 'human',
        changes: [
          { field: 'price', before: 2, after: null },
          { field: 'title', before: 'Nails', after: null },
        ],
      },
      {
        itemId: id,
        revision: 2,
        action: 'updated',
        authorType: 'service',
        authorId: 'key_job',
        createdByRunId: null,
        changes: [
          { field: 'price', before: null, after: 2 },
          { field: 'title', before: 'Nail', after: 'Nails' },
        ],
      },
      {
        itemId: id,
        revision: 1,
        action: 'created',
        collection: 'products',
        authorId: 'key_ada',
        changes: [{ field: 'title', before: null, after: 'Nail' }],
      },
    ]);
    expect(rest.nextCursor).toBeNull();
  });

  it('[CONTENT-004] filters, sorts and pages a list by cursor', async () => {
    await content.send('POST', '/collections', { body: { name: 'tools', fields } });
    for (const [index, sku] of ['A', 'B', 'AB', 'C', 'BA'].entries()) await create({ title: `T${index}`, price: index, sku }, 'tools');
    const { position } = await content.send('PATCH', `/items/tools/${(await create({ title: 'T5' }, 'tools')).id}`, {
      body: { data: { price: 9 } },
    });
    const list = async (query: Record<string, string>) => {
      const answer = await content.send<ItemView[]>('GET', `/items/tools?${new URLSearchParams({ minPosition: position, ...query })}`);
      return { ...answer, titles: answer.status === 200 ? answer.data.map(({ data }) => data['title']) : [] };
    };
    expect((await list({ filter: '{"price":{"gte":1,"lt":4},"sku":{"contains":"b"}}', sort: 'id' })).titles).toEqual(['T1', 'T2']);
    expect((await list({ filter: '{"sku":"C"}' })).titles).toEqual(['T3']);
    expect((await list({ filter: '{"sku":{"in":["A","C"]}}' })).titles).toEqual(['T3', 'T0']);
    const page = await list({ sort: '-createdAt', limit: '4' });
    expect([...page.titles, ...(await list({ sort: '-createdAt', limit: '4', cursor: page.nextCursor! })).titles].toSorted()).toEqual([
      'T0',
      'T1',
      'T2',
      'T3',
      'T4',
      'T5',
    ]);
    const sorted = await list({ sort: 'createdAt', limit: '4' });
    expect([sorted.titles, (await list({ sort: 'createdAt', limit: '4', cursor: sorted.nextCursor! })).titles]).toEqual([['T0', 'T1', 'T2', 'T3'], ['T4', 'T5']]);
    for (const filter of [
      '{',
      '[]',
      '{"price":"1"}',
      '{"price":{}}',
      '{"price":{"near":1}}',
      '{"colour":"red"}',
      '{"sku":{"gt":"A"}}',
      '{"sku":{"in":[]}}',
    ])
      expect({ filter, status: (await list({ filter })).status }).toEqual({ filter, status: 422 });
    expect((await list({ sort: 'price' })).status).toBe(422);
  });
});
