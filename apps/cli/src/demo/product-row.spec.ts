import { describe, expect, it } from '@jest/globals';
import { parsePrice, parseStock, readRow } from './product-row';

describe('A price', () => {
  it.each([
    ['12.50', 12.5],
    ['12,50', 12.5],
    ['19,9', 19.9],
    ['€ 12.50', 12.5],
    ['12,50\u00a0€', 12.5],
    ['1.299,00', 1299],
    ['1,299.00', 1299],
    ['1.299', 1299],
    ['1.234.567,89', 1234567.89],
    ['7', 7],
    ['0', 0],
    ['1299,5', 1299.5],
  ])('written %p is %p', (text, price) => expect(parsePrice(text)).toBe(price));

  it.each([['on request'], ['-4'], ['12.'], ['1,2,3'], ['12.3456'], ['1.2.3,4'], [''], ['1e5'], ['NaN'], ['.5']])('is not %p', (text) => {
    expect(parsePrice(text)).toBeUndefined();
  });
});

describe('A stock', () => {
  it.each([
    ['12', 12],
    [' 1 200 ', 1200],
    ['0', 0],
  ])('written %p is %p', (text, stock) => expect(parseStock(text)).toBe(stock));
  it.each([['-4'], ['about 20'], ['1.5'], [''], ['99999999999']])('is not %p', (text) => expect(parseStock(text)).toBeUndefined());
});

describe('A row', () => {
  const row = {
    sku: ' HT-1 ',
    title: '  HAMMER ',
    description: '',
    price: '12,50',
    currency: ' eur',
    stock: '',
    category: ' HAND TOOLS ',
    ean: '2 000001 000014',
  };

  it('keeps the title as it is, and leaves out what has no value', () => {
    expect(readRow(row)).toEqual({
      ok: true,
      product: { sku: 'HT-1', title: '  HAMMER ', price: 12.5, currency: 'EUR', category: 'Hand tools', ean: '2000001000014' },
    });
  });

  it('is refused with the reason when the collection could not take it', () => {
    expect(readRow({ ...row, price: 'on request' })).toEqual({ ok: false, reason: '"on request" is not a price' });
    expect(readRow({ ...row, stock: '-4' })).toEqual({ ok: false, reason: '"-4" is not a number of pieces' });
    expect(readRow({ ...row, sku: ' ' })).toEqual({ ok: false, reason: 'no SKU' });
    expect(readRow({ ...row, title: '' })).toEqual({ ok: false, reason: 'no title' });
    expect(readRow({})).toEqual({ ok: false, reason: 'no SKU' });
  });
});
