import type { AnyProjection, ColumnType } from '../projection';
import { InvalidListRequest, type Comparison, type Condition, type ListRequest } from '../read-models';
import { decodeCursor, type Cursor, type CursorScope } from './cursor';

export const MAX_LIMIT = 200;

/** A condition whose path, comparison and value fit the declaration. `key` is set for one key inside a jsonb column. */
export type CheckedCondition = {
  readonly field: string;
  readonly type: ColumnType;
  readonly key: string | null;
  readonly is: Comparison;
  readonly value: unknown;
};

export type CheckedList = {
  readonly siteId: string;
  readonly where: readonly CheckedCondition[];
  readonly sort: CursorScope;
  readonly after: Cursor | null;
  readonly limit: number;
};

const OWN_COLUMNS: Readonly<Record<string, ColumnType>> = { id: 'text', siteId: 'text', position: 'bigint' };

export const typeOf = (p: AnyProjection, field: string): ColumnType | undefined =>
  Object.hasOwn(OWN_COLUMNS, field) ? OWN_COLUMNS[field] : Object.hasOwn(p.columns, field) ? p.columns[field] : undefined;

/** Checks a request against the projection's declaration, so that both stores refuse the same things. */
export const checkList = (p: AnyProjection, { siteId, where = [], sort, limit, cursor }: ListRequest): CheckedList => {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) throw new InvalidListRequest(p.name, `limit must be 1 to ${MAX_LIMIT}`);
  if (!isStorable(siteId)) throw new InvalidListRequest(p.name, 'this is no site');
  const field = sort?.field ?? 'id';
  const type = typeOf(p, field);
  if (!type || type === 'jsonb' || type === 'text[]') throw new InvalidListRequest(p.name, `it cannot be sorted by ${field}`);
  const scope: CursorScope = { projection: p.name, field, type, direction: sort?.direction ?? 'desc' };
  return {
    siteId,
    limit,
    sort: scope,
    where: where.map((condition) => checkCondition(p, condition)),
    after: cursor === undefined ? null : decodeCursor(scope, cursor),
  };
};

const checkCondition = (p: AnyProjection, { path, is, value }: Condition): CheckedCondition => {
  const dot = path.indexOf('.');
  const field = dot < 0 ? path : path.slice(0, dot);
  const key = dot < 0 ? null : path.slice(dot + 1);
  const type = typeOf(p, field);
  const refuse = (detail: string) => new InvalidListRequest(p.name, detail);
  if (!type || key === '') throw refuse(`it has no field ${path}`);
  if (key !== null && type !== 'jsonb') throw refuse(`${field} has no keys`);
  const values = is === 'in' ? value : [value];
  if (!Array.isArray(values)) throw refuse(`"in" on ${path} needs a list`);
  const allowed = key === null ? ALLOWED[type] : KEY_ALLOWED;
  const fits = allowed[is];
  if (!fits) throw refuse(`${path} cannot be compared with "${is}"`);
  if (!values.every(fits)) throw refuse(`"${is}" on ${path} does not take this value`);
  return { field, type, key, is, value };
};

export const isStorable = (value: unknown): value is string => typeof value === 'string' && !value.includes('\0') && value.isWellFormed();

type Fits = (value: unknown) => boolean;
/** PostgreSQL has no NUL in texts and no half characters in jsonb; the log refuses both, so no row can hold what is refused here. */
const text: Fits = (value) => isStorable(value);
const flag: Fits = (value) => typeof value === 'boolean';
const number: Fits = (value) => typeof value === 'number';
const integer: Fits = (value) => Number.isSafeInteger(value);
const bigint: Fits = (value) => typeof value === 'bigint' || integer(value) || (typeof value === 'string' && /^-?\d{1,19}$/.test(value));
const json: Fits = (value) =>
  !['undefined', 'bigint', 'function', 'symbol'].includes(typeof value) && !/\\u(0000|d[89a-f])/.test(JSON.stringify(value));
const texts: Fits = (value) => Array.isArray(value) && value.every(text);
const scalar: Fits = (value) => text(value) || number(value) || flag(value);
const orNull =
  (fits: Fits): Fits =>
  (value) =>
    value === null || fits(value);

const ordered = (fits: Fits) => ({ eq: orNull(fits), in: fits, gt: fits, gte: fits, lt: fits, lte: fits });

const ALLOWED: Readonly<Record<ColumnType, Readonly<Partial<Record<Comparison, Fits>>>>> = {
  text: { ...ordered(text), contains: text },
  bigint: ordered(bigint),
  integer: ordered(integer),
  'double precision': ordered(number),
  boolean: { eq: orNull(flag), in: flag },
  jsonb: { eq: orNull(json), contains: json },
  'text[]': { eq: orNull(texts), contains: text },
};

const KEY_ALLOWED: Readonly<Partial<Record<Comparison, Fits>>> = {
  eq: orNull(json),
  in: json,
  contains: scalar,
  gt: (value) => text(value) || number(value),
  gte: (value) => text(value) || number(value),
  lt: (value) => text(value) || number(value),
  lte: (value) => text(value) || number(value),
};
