import type { SealedKind, SealedPayload } from '@app/kernel';

type Data = Readonly<Record<string, unknown>>;

/** In place of what the log holds under a key that can be destroyed: nobody could take it back from a broker. */
const SEALED: Readonly<Record<SealedKind, unknown>> = { json: { sealed: true }, text: '[sealed]', list: [] };

/** Event data with a placeholder for each sealed field, and the names of those; the same data when there are none. */
export const withoutSealed = (data: Data, fields: SealedPayload['fields'] = {}): { readonly data: Data; readonly sealed: readonly string[] } => {
  const present = Object.entries(fields).filter(([field]) => isThere(valueAt(data, field.split('.'))));
  return { data: present.reduce<Data>((rest, [field, kind]) => put(rest, field.split('.'), SEALED[kind]), data), sealed: present.map(([field]) => field) };
};

const isThere = (value: unknown): boolean => value !== undefined && !(Array.isArray(value) && value.length === 0);

const valueAt = (data: unknown, [name, ...inner]: readonly string[]): unknown => {
  if (name === undefined) return data;
  return typeof data === 'object' && data !== null ? valueAt((data as Data)[name], inner) : undefined;
};

const put = (data: Data, [name, ...inner]: readonly string[], value: unknown): Data => ({ ...data, [name!]: inner.length === 0 ? value : put(data[name!] as Data, inner, value) });
