import type { ArtifactContent } from '@app/artifacts/contract';
import { KINDS, type Shop, type ShopCollection } from '../ecommerce/ecommerce.policy';
import { SAMPLES } from '../ecommerce/sample-data.policy';
import { itemsOf, type SiteContext } from '../site-context/site-context.policy';
import { sampleItem } from './sample-value.policy';

type Item = { readonly collection: string; readonly data: Record<string, unknown> };

/**
 * The collections that the shop needs and a few items for those that have none; orders are for products that there are. Publishing it makes them, and a
 * rollback takes them away.
 */
export const seedData = (shop: Shop, context: Pick<SiteContext, 'items'>): ArtifactContent => {
  const products = itemsOf(context, shop.products.name).map(({ data }) => data);
  const sold = (products.length > 0 ? products : SAMPLES.products).map(({ sku, title, price }) => ({ sku: textOf(sku ?? title), price: typeof price === 'number' ? price : 10 }));
  const seeded = (['products', 'customers'] as const).flatMap((kind) => itemsFor(shop[kind], context, SAMPLES[kind]));
  const orders = itemsFor(shop.orders, context, SAMPLES.orders.map((order, nr) => ({ ...order, ...linesOf(sold, nr) })));
  return {
    about: 'Collections and first items of the shop. Publishing creates what the site does not have yet; a rollback removes it again.',
    collections: KINDS.map((kind) => ({ name: shop[kind].name, ...(shop[kind].isNew && { description: shop[kind].description }), fields: shop[kind].fields })),
    items: [...seeded, ...orders],
  } as unknown as ArtifactContent;
};

const itemsFor = ({ name, fields, relations }: ShopCollection, context: Pick<SiteContext, 'items'>, thought: readonly Readonly<Record<string, unknown>>[]): readonly Item[] =>
  itemsOf(context, name).length > 0
    ? []
    : thought.flatMap((each, nr) => {
        const data = sampleItem(fields, relations, name, each, nr);
        return data && Object.keys(data).length > 0 ? [{ collection: name, data }] : [];
      });

const linesOf = (sold: readonly { readonly sku: string; readonly price: number }[], nr: number) => {
  const lines = [{ ...sold[nr % sold.length]!, quantity: nr + 1 }];
  return { lines, total: Math.round(lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0) * 100) / 100 };
};

const textOf = (value: unknown) => (typeof value === 'string' ? value : 'unknown');
