import type { ColumnType } from '../projection';
import { isDeepStrictEqual } from 'node:util';
import type { CheckedCondition, CheckedList } from './request';

type Values = Readonly<Record<string, unknown>>;

/** The order PostgreSQL gives: text by its UTF-8 bytes, false before true, NaN after every number. */
export const compareValues = (type: ColumnType, a: unknown, b: unknown): number => {
  switch (type) {
    case 'text':
      return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
    case 'bigint':
      return order(BigInt(a as string), BigInt(b as string));
    case 'double precision':
      return Number.isNaN(a) || Number.isNaN(b) ? order(Number(Number.isNaN(a)), Number(Number.isNaN(b))) : order(a as number, b as number);
    default:
      return order(a as number, b as number);
  }
};

const order = <T extends number | bigint | boolean>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0);

/** Nulls last when ascending, first when descending, like the database. The id decides between equals, in the same direction. */
export const byRequest = ({ sort: { field, type, direction } }: CheckedList) => {
  const sign = direction === 'asc' ? 1 : -1;
  return (a: Values, b: Values): number => {
    const [x, y] = [a[field] ?? null, b[field] ?? null];
    const first = x === null || y === null ? Number(x === null) - Number(y === null) : compareValues(type, x, y);
    return sign * (first || compareValues('text', a['id'], b['id']));
  };
};

export const matches = ({ field, type, key, is, value }: CheckedCondition, row: Values): boolean => {
  const stored = row[field] ?? null;
  if (key !== null) return keyMatches((stored as Values | null)?.[key], is, value);
  if (value === null) return stored === null;
  if (stored === null) return false;
  switch (is) {
    case 'eq':
      return type === 'jsonb' || type === 'text[]' ? isDeepStrictEqual(stored, value) : compareValues(type, stored, value) === 0;
    case 'in':
      return (value as readonly unknown[]).some((each) => compareValues(type, stored, each) === 0);
    case 'contains':
      return type === 'text'
        ? holdsText(stored, value)
        : type === 'text[]'
          ? (stored as readonly unknown[]).includes(value)
          : holds(stored, value);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return ranges[is](compareValues(type, stored, value));
  }
};

const keyMatches = (stored: unknown, is: CheckedCondition['is'], value: unknown): boolean => {
  switch (is) {
    case 'eq':
      return value === null ? (stored ?? null) === null : isDeepStrictEqual(stored, value);
    case 'in':
      return (value as readonly unknown[]).some((each) => isDeepStrictEqual(stored, each));
    case 'contains':
      return Array.isArray(stored)
        ? stored.includes(value)
        : typeof stored === 'string' && typeof value === 'string' && holdsText(stored, value);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return (
        typeof stored === typeof value && ranges[is](compareValues(typeof value === 'number' ? 'double precision' : 'text', stored, value))
      );
  }
};

const ranges = { gt: (n: number) => n > 0, gte: (n: number) => n >= 0, lt: (n: number) => n < 0, lte: (n: number) => n <= 0 };

const holdsText = (stored: unknown, part: unknown) => String(stored).toLowerCase().includes(String(part).toLowerCase());

/** Containment of JSON values: objects by keys, arrays as sets, and a scalar counts as in an array that lists it. */
const holds = (stored: unknown, part: unknown, top = true): boolean => {
  if (Array.isArray(stored)) {
    if (Array.isArray(part)) return part.every((each) => stored.some((item) => holds(item, each, false)));
    return top && (typeof part !== 'object' || part === null) && stored.includes(part);
  }
  if (typeof stored !== 'object' || stored === null) return stored === part;
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return false;
  return Object.entries(part).every(([key, each]) => Object.hasOwn(stored, key) && holds((stored as Values)[key], each, false));
};
