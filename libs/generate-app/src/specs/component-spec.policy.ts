import type { Field } from '@app/content/contract';
import type { ArtifactContent } from '@app/artifacts/contract';
import type { Shop, ShopCollection } from '../ecommerce/ecommerce.policy';
import { rulingOn, type SiteContext } from '../site-context/site-context.policy';

/** The parts that the pages are put together from; each reads or writes fields that the collections really have. */
export const componentSpec = (shop: Shop, context: SiteContext): ArtifactContent => {
  const { products, orders, customers } = shop;
  const card = ['title', 'name', 'price', 'currency', 'image'].filter((name) => has(products, name));
  return {
    components: [
      { name: 'StoreHeader', props: [] },
      { name: 'StoreFooter', props: [] },
      { name: 'ProductGrid', collection: products.name, props: propsOf(products, card), uses: ['ProductCard'] },
      { name: 'ProductCard', collection: products.name, props: propsOf(products, card) },
      { name: 'ProductDetail', collection: products.name, props: products.fields.map(prop) },
      { name: 'AddToCart', collection: products.name, props: propsOf(products, ['sku', 'price', 'stock']) },
      { name: 'CartLines', collection: orders.name, props: propsOf(orders, ['lines', 'total']) },
      { name: 'CheckoutForm', collection: orders.name, ...form(orders, context, 'create') },
      { name: 'OrderList', collection: orders.name, props: propsOf(orders, ['number', 'status', 'total', 'placedAt']) },
      { name: 'CustomerForm', collection: customers.name, ...form(customers, context, 'update') },
      { name: 'ContentList', props: [{ name: 'collection', type: 'text', required: true }] },
    ],
    guidance: context.memories.map(({ content }) => content.slice(0, 500)),
  } as unknown as ArtifactContent;
};

const has = ({ fields }: ShopCollection, name: string) => fields.some((field) => field.name === name);
const propsOf = ({ fields }: ShopCollection, names: readonly string[]) => fields.filter(({ name }) => names.includes(name)).map(prop);
const prop = ({ name, type, required = false, constraints }: Field) => ({ name, type, required, ...(constraints && { constraints }) });

/** What policies forbid is shown and not sent; what they ask a person about says so. */
const form = (collection: ShopCollection, context: SiteContext, operation: 'create' | 'update') => {
  const effect = rulingOn(context, collection.name, operation)?.effect ?? 'allow';
  return { props: collection.fields.map(prop), submits: effect === 'deny' ? null : operation, waitsForApproval: effect === 'ask' || effect === 'stage' };
};
