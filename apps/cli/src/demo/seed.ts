import { DEMO_COLLECTION, DEMO_PRODUCTS, HarnessError, type Harness } from '@app/sdk';

export type Seeded = {
  readonly collection: 'created' | 'present';
  readonly created: readonly string[];
  readonly present: readonly string[];
};

/** Makes sure that the demo collection exists. Two who do it at once both succeed. */
export const ensureDemoCollection = async (harness: Harness): Promise<Seeded['collection']> => {
  for await (const { name } of harness.collections.each()) if (name === DEMO_COLLECTION.name) return 'present';
  try {
    await harness.collections.create(DEMO_COLLECTION);
    return 'created';
  } catch (error) {
    if (error instanceof HarnessError && error.code === 'CONFLICT') return 'present';
    throw error;
  }
};

/** Adds the demo products that are missing, by SKU; a second run adds nothing and changes nothing that is there. */
export const seedDemo = async (harness: Harness): Promise<Seeded> => {
  const collection = await ensureDemoCollection(harness);
  const items = harness.items(DEMO_COLLECTION.name);
  const known = new Set<unknown>();
  for await (const { data } of items.each({ limit: 200 })) known.add(data['sku']);
  const created: string[] = [];
  for (const product of DEMO_PRODUCTS) {
    if (known.has(product.sku)) continue;
    await items.create(product);
    created.push(product.sku);
  }
  return { collection, created, present: DEMO_PRODUCTS.map(({ sku }) => sku).filter((sku) => !created.includes(sku)) };
};
