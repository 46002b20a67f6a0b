import { FORGOTTEN, FORGOTTEN_TEXT, type SealedPayload } from '@app/kernel';

type Data = Readonly<Record<string, unknown>>;

const PLACEHOLDERS = { json: FORGOTTEN, text: FORGOTTEN_TEXT, list: [] } as const;

/** There is nothing to hide in it. */
const isEmpty = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0);

/** Whether an event has anything of what is sealed. */
export const hasHidden = (data: Data, fields: SealedPayload['fields']): boolean => {
  for (const field in fields) {
    const dot = field.indexOf('.');
    const outer = data[dot < 0 ? field : field.slice(0, dot)];
    if (!isEmpty(dot < 0 ? outer : (outer as Data | null | undefined)?.[field.slice(dot + 1)])) return true;
  }
  return false;
};

/** Event data without its sealed fields, and those; undefined when it has none of them. Objects are built key by key: deleting from them would make them slow to write. */
export const split = (data: Data, fields: SealedPayload['fields']): { readonly open: Data; readonly hidden: Data } | undefined => {
  if (!hasHidden(data, fields)) return undefined;
  const open: Record<string, unknown> = {};
  const hidden: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(data)) {
    if (Object.hasOwn(fields, name) && !isEmpty(value)) hidden[name] = value;
    else open[name] = typeof value === 'object' && value !== null ? withoutInner(name, value as Data, fields, hidden) : value;
  }
  return { open, hidden };
};

const withoutInner = (outer: string, whole: Data, fields: SealedPayload['fields'], hidden: Record<string, unknown>): Data => {
  let rest = whole;
  for (const field in fields) {
    if (!field.startsWith(outer) || field[outer.length] !== '.') continue;
    const inner = field.slice(outer.length + 1);
    if (isEmpty(rest[inner])) continue;
    hidden[field] = rest[inner];
    rest = Object.fromEntries(Object.entries(rest).filter(([name]) => name !== inner));
  }
  return rest;
};

/** The reverse of `split`. */
export const join = (open: Data, hidden: Data): Data => {
  const data: Record<string, unknown> = { ...open };
  for (const [field, value] of Object.entries(hidden)) {
    const dot = field.indexOf('.');
    if (dot < 0) data[field] = value;
    else data[field.slice(0, dot)] = { ...(data[field.slice(0, dot)] as Data), [field.slice(dot + 1)]: value };
  }
  return data;
};

/** In place of fields that cannot be opened any more. One that is declared no longer may have held anything. */
export const placeholders = (names: readonly string[], fields: SealedPayload['fields'] = {}): Data => Object.fromEntries(names.map((name) => [name, PLACEHOLDERS[fields[name] ?? 'json']]));
