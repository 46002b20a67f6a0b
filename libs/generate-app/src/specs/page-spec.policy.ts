import type { ArtifactContent } from '@app/artifacts/contract';
import { KINDS, type Shop } from '../ecommerce/ecommerce.policy';
import { itemsOf, type KnownCollection, type SiteContext } from '../site-context/site-context.policy';

const MOST_FEATURED = 3;
const MOST_OTHERS = 20;
const TITLES = ['title', 'name', 'headline', 'label'];

/** The pages of the storefront, and one for each other collection that visitors could read; with what is remembered, and what the policies say. */
export const pageSpec = (name: string, shop: Shop, context: SiteContext): ArtifactContent => {
  const { products, orders, customers } = shop;
  const show = (wanted: readonly string[], fields: readonly { readonly name: string }[]) => wanted.filter((each) => fields.some((field) => field.name === each));
  const featured = itemsOf(context, products.name).slice(0, MOST_FEATURED).map(({ id, data }) => ({ id, title: data[titleOf(products.fields) ?? 'title'] ?? null }));
  const own = KINDS.map((kind) => shop[kind].name);
  return {
    name,
    pages: [
      { path: '/', title: name, kind: 'storefront', collection: products.name, components: ['StoreHeader', 'ProductGrid', 'StoreFooter'], featured },
      { path: `/${products.name}`, title: 'Products', kind: 'storefront', collection: products.name, components: ['StoreHeader', 'ProductGrid'], shows: products.fields.map((field) => field.name) },
      { path: `/${products.name}/{id}`, title: 'Product', kind: 'storefront', collection: products.name, components: ['StoreHeader', 'ProductDetail', 'AddToCart'], shows: show(['title', 'description', 'price', 'currency', 'stock', 'image'], products.fields) },
      { path: '/cart', title: 'Cart', kind: 'storefront', collection: orders.name, components: ['StoreHeader', 'CartLines'] },
      { path: '/checkout', title: 'Checkout', kind: 'storefront', collection: orders.name, components: ['StoreHeader', 'CheckoutForm'], writes: show(['customerEmail', 'lines', 'total'], orders.fields) },
      { path: `/account/${orders.name}`, title: 'Your orders', kind: 'account', collection: orders.name, components: ['OrderList'], shows: show(['number', 'status', 'total', 'placedAt'], orders.fields) },
      { path: '/account', title: 'Your details', kind: 'account', collection: customers.name, components: ['CustomerForm'], shows: customers.fields.map((field) => field.name) },
      ...context.collections.filter((each) => !own.includes(each.name)).slice(0, MOST_OTHERS).map(contentPage),
    ],
    policies: KINDS.flatMap((kind) => (context.rulings[shop[kind].name] ?? []).map((ruling) => ({ collection: shop[kind].name, ...ruling }))),
    guidance: context.memories.map(({ content }) => content.slice(0, 500)),
  } as unknown as ArtifactContent;
};

const titleOf = (fields: readonly { readonly name: string }[]) => TITLES.find((each) => fields.some((field) => field.name === each));

const contentPage = ({ name, description, fields }: KnownCollection) => ({
  path: `/${name}`, title: (description ?? name).slice(0, 200) || name, kind: 'content', collection: name, components: ['StoreHeader', 'ContentList'], shows: fields.map((field) => field.name),
});
