import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ItemView } from './contract';
import { runningContent, type RunningContent } from './testing/running-content';

const fields = [
  { name: 'title', type: 'text', required: true, constraints: { maxLength: 10 } },
  { name: 'price', type: 'number', constraints: { min: 0 } },
  { name: 'sku', type: 'text', constraints: { pattern: '^[A-Z]+$' } },
];
const nobody = 'item_0190f5b2c0de7abc8def0123456789ab';

describe('Who reaches which content', () => {
  let content: RunningContent;
  const create = async (data: unknown, collection = 'products') =>
    (await content.send<ItemView>('POST', `/items/${collection}`, { body: { data } })).data;

  beforeAll(async () => {
    content = await runningContent();
    await content.send('POST', '/collections', { body: { name: 'products', fields } });
    await content.send('POST', '/collections', { body: { name: 'pages', fields } });
  });
  afterAll(() => content.close());

  it('answers with one body for ids nobody has, of another site, of another collection, and for unknown collections', async () => {
    const { id } = await create({ title: 'Axe' });
    const answers = await Promise.all([
      content.send('GET', `/items/products/${nobody}`),
      content.send('GET', '/items/products/nonsense'),
      content.send('GET', `/items/products/${id}`, { key: 'hk_bob' }),
      content.send('GET', `/items/pages/${id}`),
      content.send('GET', `/items/products/${id}/revisions`, { key: 'hk_bob' }),
      content.send('PATCH', `/items/products/${id}`, { key: 'hk_bob', body: { data: { title: 'Mine' } } }),
      content.send('DELETE', `/items/products/${id}`, { key: 'hk_bob', ifMatch: 9 }),
      content.send('POST', '/items/nowhere', { body: { data: {} } }),
      content.send('GET', '/items/nowhere'),
      content.send('GET', '/items/No-where'),
      content.send('GET', '/collections/products', { key: 'hk_bob' }),
      content.send('POST', '/collections/nowhere/fields', { body: fields[0] }),
    ]);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });

  it('[AUTH-016] answers 410 for a deleted record of the own site', async () => {
    const { id } = await create({ title: 'Rake' });
    const at = `/items/products/${id}`;
    await content.send('DELETE', at);
    for (const answer of [
      await content.send('GET', at),
      await content.send('PATCH', at, { body: { data: { price: 1 } } }),
      await content.send('DELETE', at),
    ])
      expect(answer).toMatchObject({ status: 410, code: 'GONE' });
    expect(await content.send('GET', at, { key: 'hk_bob' })).toMatchObject({ status: 403 });
  });

  it('lets agents read, and sends them to the one door to write', async () => {
    const { id } = await create({ title: 'Vice' });
    const key = 'hk_robot';
    expect((await content.send('GET', `/items/products/${id}`, { key })).status).toBe(200);
    const refused = await Promise.all([
      content.send('POST', '/collections', { key, body: { name: 'mine', fields: [] } }),
      content.send('POST', '/collections/products/fields', { key, body: fields[0] }),
      content.send('POST', '/items/products', { key, body: { data: { title: 'x' } } }),
      content.send('PATCH', `/items/products/${id}`, { key, body: { data: { title: 'x' } } }),
      content.send('DELETE', `/items/products/${id}`, { key }),
    ]);
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 403, code: 'FORBIDDEN' });
      expect(answer.text).toContain('tool-calls');
    }
  });

  it('asks for the capability of each route', async () => {
    const { id } = await create({ title: 'File' });
    const key = 'hk_reader';
    const statuses = async (requests: [string, string, unknown?][]) =>
      Promise.all(requests.map(async ([method, path, body]) => (await content.send(method, path, { key, body })).status));
    expect(
      await statuses([
        ['GET', '/collections'],
        ['GET', '/collections/products'],
        ['GET', '/items/products'],
        ['GET', `/items/products/${id}`],
        ['GET', `/items/products/${id}/revisions`],
      ]),
    ).toEqual([200, 200, 200, 200, 200]);
    expect(
      await statuses([
        ['POST', '/collections', { name: 'x', fields: [] }],
        ['POST', '/collections/products/fields', fields[0]],
        ['POST', '/items/products', { data: {} }],
        ['PATCH', `/items/products/${id}`, { data: {} }],
        ['DELETE', `/items/products/${id}`],
      ]),
    ).toEqual([403, 403, 403, 403, 403]);
  });
});
