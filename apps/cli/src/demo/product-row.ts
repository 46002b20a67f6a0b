import { cleanText, cleanTitle } from './clean-text';

/** A row as the file has it: every cell is text. */
export type ProductRow = Readonly<Record<string, string | undefined>>;

/** A product as the collection takes it. The title is still the one of the file; fields without a value are absent. */
export type Product = {
  readonly sku: string;
  readonly title: string;
  readonly description?: string;
  readonly price?: number;
  readonly currency?: string;
  readonly stock?: number;
  readonly category?: string;
  readonly ean?: string;
};

export type ReadRow = { readonly ok: true; readonly product: Product } | { readonly ok: false; readonly reason: string };

const CURRENCIES: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', $: 'USD', zł: 'PLN' };

/**
 * A price as people write it: `12,50`, `€ 12.50`, `1.299,00`, `1,299.00`. The last separator is the decimal one, unless exactly three digits
 * follow a single separator: no shop prices in thousandths. Undefined when it is not a price.
 */
export const parsePrice = (text: string): number | undefined => {
  const bare = text.replace(/[€£$\s\u00a0]/g, '');
  if (!/^\d[\d.,]*$/.test(bare)) return undefined;
  const at = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','));
  if (at < 0) return Number(bare);
  const fraction = bare.slice(at + 1);
  const whole = bare.slice(0, at);
  if (fraction.length === 3 && !/[.,]/.test(whole)) return Number(whole + fraction);
  if (!/^\d{1,2}$/.test(fraction) || !/^\d{1,3}([.,]?\d{3})*$|^\d+$/.test(whole)) return undefined;
  return Number(`${whole.replace(/[.,]/g, '')}.${fraction}`);
};

/** A count of pieces. Undefined when it is not one. */
export const parseStock = (text: string): number | undefined => {
  const bare = text.replace(/[\s\u00a0]/g, '');
  return /^\d{1,9}$/.test(bare) ? Number(bare) : undefined;
};

const parseCurrency = (text: string): string => CURRENCIES[text] ?? text.toUpperCase();

/** Reads one row. Only what the collection could not take is refused; an empty optional cell is no mistake. */
export const readRow = (row: ProductRow): ReadRow => {
  const cell = (name: string) => (row[name] ?? '').trim();
  const sku = cell('sku');
  if (sku === '') return { ok: false, reason: 'no SKU' };
  if (cell('title') === '') return { ok: false, reason: 'no title' };
  const price = cell('price') === '' ? undefined : parsePrice(cell('price'));
  if (price === undefined && cell('price') !== '') return { ok: false, reason: `"${cell('price')}" is not a price` };
  const stock = cell('stock') === '' ? undefined : parseStock(cell('stock'));
  if (stock === undefined && cell('stock') !== '') return { ok: false, reason: `"${cell('stock')}" is not a number of pieces` };
  const optional = {
    description: cleanText(row['description'] ?? ''),
    currency: parseCurrency(cell('currency')),
    category: cleanTitle(row['category'] ?? ''),
    ean: cell('ean').replace(/\s/g, ''),
  };
  return {
    ok: true,
    product: {
      sku,
      title: row['title'] ?? '',
      ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== '')),
      ...(price === undefined ? {} : { price }),
      ...(stock === undefined ? {} : { stock }),
    },
  };
};
