import { afterEach, describe, expect, it } from '@jest/globals';
import { DEMO_PRODUCTS, Harness } from '@app/sdk';
import { answers, lists, loopback, refuses, type Loopback } from '@app/sdk/testing';
import { seedDemo } from './seed';

/** A shop in memory that speaks just enough of the API. */
const shop = async (): Promise<Loopback> => {
  const collections: object[] = [];
  const items: object[] = [];
  return loopback((response, request) => {
    const { method, path, body } = request;
    const kept = path.includes('/items/') ? items : collections;
    if (method === 'POST') kept.push(body as object);
    return (method === 'POST' ? answers(body, '1', 201) : lists(kept))(response, request);
  });
};

let server: Loopback | undefined;
afterEach(() => server?.close());

describe('Seeding the demo', () => {
  it('adds the collection and its products, and nothing at all the second time', async () => {
    server = await shop();
    const harness = new Harness({ url: server.url, key: 'k' });
    const skus = DEMO_PRODUCTS.map(({ sku }) => sku);
    expect(await seedDemo(harness)).toEqual({ collection: 'created', created: skus, present: [] });
    const writes = () => server!.seen.filter(({ method }) => method === 'POST').length;
    const before = writes();
    expect(await seedDemo(harness)).toEqual({ collection: 'present', created: [], present: skus });
    expect(writes()).toBe(before);
  });

  it('is content when somebody else creates the collection at the same moment', async () => {
    server = await loopback(lists([]), refuses(409, 'CONFLICT'), lists(DEMO_PRODUCTS.map((data) => ({ data }))));
    expect(await seedDemo(new Harness({ url: server.url, key: 'k' }))).toMatchObject({ collection: 'present', created: [] });
  });
});
