import type { Field } from '@app/content/contract';
import { collectionIn, type KnownCollection, type SiteContext } from '../site-context/site-context.policy';

export const KINDS = ['products', 'orders', 'customers'] as const;
export type Kind = (typeof KINDS)[number];

const text = (name: string, maxLength: number, required = false): Field => ({ name, type: 'text', ...(required && { required }), constraints: { maxLength } });
const amount = (name: string): Field => ({ name, type: 'number', required: true, constraints: { min: 0 } });
const choice = (name: string, ...options: string[]): Field => ({ name, type: 'enum', constraints: { options } });

/** What a shop keeps of each kind, when the site does not keep it already. */
export const SHOP: Readonly<Record<Kind, { readonly description: string; readonly fields: readonly Field[] }>> = {
  products: {
    description: 'What the shop sells',
    fields: [
      text('sku', 60, true), text('title', 200, true), { name: 'description', type: 'longtext' }, amount('price'), choice('currency', 'EUR', 'USD', 'GBP'),
      { name: 'stock', type: 'integer', constraints: { min: 0 } }, text('image', 500),
    ],
  },
  orders: {
    description: 'What customers have ordered',
    fields: [text('number', 60, true), text('customerEmail', 200, true), { name: 'lines', type: 'json', required: true }, amount('total'), choice('status', 'open', 'paid', 'shipped', 'cancelled'), { name: 'placedAt', type: 'datetime' }],
  },
  customers: {
    description: 'Who buys in the shop',
    fields: [text('email', 200, true), text('name', 200, true), text('phone', 60), text('city', 100), text('country', 100)],
  },
};

/** A collection of the shop: as the site has it, with what the shop needs besides. `isNew`: the site does not have it yet. */
export type ShopCollection = { readonly kind: Kind; readonly name: string; readonly isNew: boolean; readonly description: string | null; readonly fields: readonly Field[]; readonly relations: KnownCollection['relations'] };
export type Shop = Readonly<Record<Kind, ShopCollection>>;

/** Names that a collection of this kind may get: a deleted one's is never free again. */
export const namesFor = (kind: Kind, wanted: string | undefined): readonly string[] => [wanted ?? kind, ...Array.from({ length: 98 }, (_, nr) => `${(wanted ?? kind).slice(0, 60)}${nr + 2}`)];

/**
 * What is there stays as it is: fields keep their types and rules, and what is added to a collection that may hold items is not required. A name
 * that is gone for ever is passed over.
 */
export const shopOn = (context: Pick<SiteContext, 'collections' | 'gone'>, wanted: Partial<Record<Kind, string>> = {}): Shop => {
  const of = (kind: Kind): ShopCollection => {
    const name = namesFor(kind, wanted[kind]).find((each) => !context.gone.includes(each)) ?? kind;
    const { description, fields } = SHOP[kind];
    const known = collectionIn(context, name);
    if (!known) return { kind, name, isNew: true, description, fields, relations: [] };
    const missing = fields.filter((field) => !known.fields.some((each) => each.name === field.name) && !known.removedFields.includes(field.name));
    return { kind, name, isNew: false, description: known.description, fields: [...known.fields, ...missing.map(({ required: _required, ...field }) => field)], relations: known.relations };
  };
  return { products: of('products'), orders: of('orders'), customers: of('customers') };
};
