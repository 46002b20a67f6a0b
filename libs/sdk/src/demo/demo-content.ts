import type { Field, ItemData } from '../content';

export type DemoProduct = ItemData & { readonly sku: string; readonly title: string };

/** What the demo shop offers; plain data, so that a server and a client can seed the same. */
export const DEMO_COLLECTION: { readonly name: string; readonly fields: Field[] } = {
  name: 'products',
  fields: [
    { name: 'sku', type: 'text', required: true, constraints: { maxLength: 40 } },
    { name: 'title', type: 'text', required: true, constraints: { maxLength: 120 } },
    { name: 'description', type: 'longtext' },
    { name: 'price', type: 'number', constraints: { min: 0 } },
    { name: 'currency', type: 'enum', constraints: { options: ['EUR', 'GBP', 'PLN', 'USD'] } },
    { name: 'stock', type: 'integer', constraints: { min: 0 } },
    { name: 'category', type: 'text' },
    { name: 'ean', type: 'text' },
  ],
};

/** EANs begin with 2, the range that every shop may use inside its own walls. */
export const DEMO_PRODUCTS: readonly DemoProduct[] = [
  {
    sku: 'DEMO-0001',
    title: 'Claw hammer, 450 g, ash handle',
    description: 'Forged head, balanced for long days.',
    price: 18.5,
    currency: 'EUR',
    stock: 42,
    category: 'Hand tools',
    ean: '2000000000015',
  },
  {
    sku: 'DEMO-0002',
    title: 'Enamel saucepan, 1.5 l',
    description: 'White with a blue rim. Works on every hob.',
    price: 24.9,
    currency: 'EUR',
    stock: 17,
    category: 'Kitchen',
    ean: '2000000000022',
  },
  {
    sku: 'DEMO-0003',
    title: 'Secateurs, bypass, 21 cm',
    description: 'For green wood up to 20 mm.',
    price: 29,
    currency: 'EUR',
    stock: 8,
    category: 'Garden',
    ean: '2000000000039',
  },
  {
    sku: 'DEMO-0004',
    title: 'Linen tea towel, pack of 3',
    description: 'Pre-washed, with a loop to hang it.',
    price: 15,
    currency: 'EUR',
    stock: 120,
    category: 'Kitchen',
    ean: '2000000000046',
  },
  {
    sku: 'DEMO-0005',
    title: 'Rain barrel tap, brass, 3/4"',
    description: 'With seal and lock nut.',
    price: 11.75,
    currency: 'EUR',
    stock: 0,
    category: 'Garden',
    ean: '2000000000053',
  },
];
