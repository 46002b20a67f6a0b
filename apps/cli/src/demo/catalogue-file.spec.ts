import { describe, expect, it } from '@jest/globals';
import { DEMO_COLLECTION } from '@app/sdk';
import { readFileSync } from 'node:fs';
import { collected } from '../collected';
import { rowsOf, sampleCatalogue } from './catalogue-file';
import { cleanTitle } from './clean-text';
import { readRow } from './product-row';

const file = sampleCatalogue();
const rows = await collected(rowsOf(file));
const read = rows.map(({ line, row }) => ({ line, row, result: readRow(row) }));
const products = read.flatMap(({ result }) => (result.ok ? [result.product] : []));

describe('The sample catalogue', () => {
  it('is as messy as the real thing: byte order mark, CRLF, line breaks and quotes in cells, empty cells, many scripts', () => {
    const text = readFileSync(file, 'utf8');
    expect(text.startsWith('\uFEFFsku,title,')).toBe(true);
    expect(text).toContain('\r\n');
    expect(text).toMatch(/""/);
    for (const script of [
      /é/,
      /ß/,
      /ł/,
      /\p{Script=Han}/u,
      /\p{Script=Arabic}/u,
      /\p{Script=Hebrew}/u,
      /\p{Extended_Pictographic}/u,
      /&amp;/,
    ])
      expect(text).toMatch(script);
    const cells = rows.flatMap(({ row }) => Object.values(row));
    expect(cells.filter((cell) => cell?.includes('\n')).length).toBeGreaterThan(10);
    expect(cells.filter((cell) => cell === '').length).toBeGreaterThan(50);
  });

  it('holds 320 rows with three SKUs twice, two rows that cannot be sold and one test article', () => {
    expect(rows).toHaveLength(320);
    expect(new Set(rows.map(({ row }) => row['sku']?.trim())).size).toBe(317);
    expect(read.filter(({ result }) => !result.ok).map(({ result }) => result)).toEqual([
      { ok: false, reason: '"on request" is not a price' },
      { ok: false, reason: '"-4" is not a number of pieces' },
    ]);
    expect(products.filter(({ sku }) => sku.startsWith('TEST'))).toHaveLength(1);
  });

  it('fits the demo collection in every other row', () => {
    const field = (name: string) => DEMO_COLLECTION.fields.find((one) => one.name === name)?.constraints;
    for (const { title, currency, price, stock, sku } of products) {
      expect(title.length).toBeLessThanOrEqual(field('title')?.maxLength ?? 0);
      expect(cleanTitle(title)).not.toBe('');
      expect(sku).toBe(sku.trim());
      if (currency !== undefined) expect(field('currency')?.options).toContain(currency);
      expect(price ?? 0).toBeGreaterThanOrEqual(0);
      expect(Number.isInteger(stock ?? 0)).toBe(true);
    }
  });

  it('needs more than half of its titles cleaned', () => {
    const wrong = products.filter(({ title }) => cleanTitle(title) !== title);
    expect(wrong.length).toBeGreaterThan(products.length / 2);
  });

  it('uses EANs of the range that every shop may use for itself, with right check digits', () => {
    const eans = products.flatMap(({ ean }) => (ean === undefined ? [] : [ean]));
    expect(eans.length).toBeGreaterThan(250);
    for (const ean of eans) {
      expect(ean).toMatch(/^2\d{12}$/);
      const sum = [...ean].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
      expect(sum % 10).toBe(0);
    }
  });
});
