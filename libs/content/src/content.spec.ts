import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ID_PREFIXES, idFor, newEventId, newId } from '@app/event-store';
import type { CollectionView, ItemView } from './contract';
import { isItemId } from './item-id.policy';
import { runningContent, type RunningContent } from './testing/running-content';

const fields = [
  { name: 'title', type: 'text', required: true, constraints: { maxLength: 10 } },
  { name: 'price', type: 'number', constraints: { min: 0 } },
  { name: 'sku', type: 'text', constraints: { pattern: '^[A-Z]+$' } },
];

describe('The content API', () => {
  let content: RunningContent;
  const create = async (data: unknown, collection = 'products') =>
    (await content.send<ItemView>('POST', `/items/${collection}`, { body: { data } })).data;

  beforeAll(async () => {
    content = await runningContent();
    await content.send('POST', '/collections', { body: { name: 'products', fields } });
    await content.send('POST', '/collections', { body: { name: 'pages', fields } });
  });
  afterAll(() => content.close());

  it('[CONTENT-001] creates a collection with typed, required and constrained fields', async () => {
    const made = await content.send<CollectionView>('POST', '/collections', { body: { name: 'offers', fields } });
    expect(made).toMatchObject({ status: 201, etag: '"1"', data: { name: 'offers', fields, version: 1 } });
    expect((await content.send<CollectionView>('GET', '/collections/offers')).data).toEqual(made.data);
    const listed = await content.send<CollectionView[]>('GET', `/collections?minPosition=${made.position}`);
    expect(listed.data.map(({ name }) => name)).toEqual(['offers', 'pages', 'products']);
    for (const [data, pointer] of [
      [{}, '/data/title'],
      [{ title: 3 }, '/data/title'],
      [{ title: 'x', price: -1 }, '/data/price'],
    ] as const)
      expect((await content.send('POST', '/items/offers', { body: { data } })).facts.errors).toMatchObject([{ pointer }]);
  });

  it('[CONTENT-015] refuses a reserved name, a name that is taken and a definition that makes no sense', async () => {
    const post = (name: string, type = 'text') => content.send('POST', '/collections', { body: { name, fields: [{ name: 'a', type }] } });
    expect(await post('products')).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect(await post('lumibase_users')).toMatchObject({ status: 422, code: 'RESERVED_NAME' });
    expect(await post('things', 'blob')).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' });
  });

  it('adds a field, and asks for it from then on', async () => {
    await content.send('POST', '/collections', { body: { name: 'notes', fields: [] } });
    await create({}, 'notes');
    const field = { name: 'text', type: 'text', required: true };
    expect(await content.send('POST', '/collections/notes/fields', { body: field, ifMatch: 7 })).toMatchObject({
      status: 409,
      code: 'CONFLICT',
    });
    expect(await content.send('POST', '/collections/notes/fields', { body: field })).toMatchObject({
      status: 201,
      etag: '"2"',
      data: { fields: [field] },
    });
    expect(await content.send('POST', '/items/notes', { body: { data: {} } })).toMatchObject({ status: 422 });
  });

  it('[CONTENT-003] creates, reads, changes and deletes items', async () => {
    const made = await content.send<ItemView>('POST', '/items/products', { body: { data: { title: 'Hammer', price: 9 } } });
    expect(made).toMatchObject({ status: 201, data: { collection: 'products', data: { title: 'Hammer', price: 9 }, version: 1 } });
    const at = `/items/products/${made.data.id}`;
    expect((await content.send('GET', at)).data).toEqual(made.data);
    const changed = await content.send<ItemView>('PATCH', at, { body: { data: { price: null, sku: 'HAM' } } });
    expect(changed).toMatchObject({ status: 200, data: { data: { title: 'Hammer', sku: 'HAM' }, version: 2 } });
    expect((await content.send('GET', at)).data).toEqual(changed.data);
    expect(await content.send('DELETE', at)).toMatchObject({ status: 200, data: { id: made.data.id, deleted: true } });
    const { position } = await content.send('DELETE', `/items/products/${(await create({ title: 'Last' })).id}`);
    const listed = await content.send<ItemView[]>('GET', `/items/products?minPosition=${position}`);
    expect(listed.data.map(({ id }) => id)).not.toContain(made.data.id);
  });

  it('[CONTENT-005] refuses an item that breaks a type, a requirement or a constraint, and writes nothing', async () => {
    const { id } = await create({ title: 'Saw', price: 1 });
    const head = await content.store.head();
    const broken = [
      { title: 5 },
      { title: null },
      { title: 'x'.repeat(11) },
      { title: 'Saw', price: '1' },
      { title: 'Saw', sku: 'a1' },
      { title: 'Saw', colour: 'red' },
    ];
    for (const data of broken) {
      expect(await content.send('POST', '/items/products', { body: { data } })).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' });
      expect(await content.send('PATCH', `/items/products/${id}`, { body: { data } })).toMatchObject({
        status: 422,
        code: 'VALIDATION_FAILED',
      });
    }
    expect(await content.store.head()).toBe(head);
  });

  it('[API-017] returns the stream version as ETag of every updatable record', async () => {
    const { id } = await create({ title: 'Plane' });
    const at = `/items/products/${id}`;
    const version = async () => (await content.store.versions([`item-${id}`])).get(`item-${id}`);
    const etags = [
      (await content.send('GET', at)).etag,
      (await content.send('PATCH', at, { body: { data: { price: 2 } } })).etag,
      (await content.send('GET', at)).etag,
    ];
    expect(etags).toEqual(['"1"', '"2"', '"2"']);
    expect(await version()).toBe(2);
    expect((await content.send('GET', '/collections/products')).etag).toBe('"1"');
  });

  it('[API-018] answers CONFLICT for an If-Match of another version, and changes nothing', async () => {
    const { id } = await create({ title: 'Drill' });
    const at = `/items/products/${id}`;
    const head = await content.store.head();
    expect(await content.send('PATCH', at, { ifMatch: 2, body: { data: { price: 3 } } })).toMatchObject({
      status: 409,
      code: 'CONFLICT',
      facts: { version: 1 },
    });
    expect(await content.send('DELETE', at, { ifMatch: 2 })).toMatchObject({ status: 409, code: 'CONFLICT' });
    const field = { name: 'weight', type: 'number' };
    expect(await content.send('POST', '/collections/products/fields', { ifMatch: 2, body: field })).toMatchObject({
      status: 409,
      code: 'CONFLICT',
    });
    expect(await content.store.head()).toBe(head);
    expect(await content.send('PATCH', at, { ifMatch: 1, body: { data: { price: 3 } } })).toMatchObject({ status: 200, etag: '"2"' });
  });

  it('[CONTENT-016] gives ids of a prefix and a lower-case UUIDv7 without dashes', async () => {
    expect(isItemId((await create({ title: 'Glue' })).id)).toBe(true);
    // The wire contract's list, whole and in its order; other kinds came later, in the same form.
    expect(ID_PREFIXES.join(' ')).toMatch(/^goal run call appr stg inc prom con int art mem item conv prop desk key site flow\b/);
    for (const prefix of ID_PREFIXES) {
      const form = new RegExp(`^${prefix}_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$`);
      expect(newId(prefix)).toMatch(form);
      expect(idFor(prefix, { commandId: newEventId(), repeatable: true })).toMatch(form);
    }
  });
});
