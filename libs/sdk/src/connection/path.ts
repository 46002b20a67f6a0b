import { HarnessError } from './error';

/** A path whose values are escaped. `.` and `..` would silently address another resource, so they are refused. */
export const path = (parts: TemplateStringsArray, ...values: readonly string[]): string =>
  parts.reduce((whole, part, index) => {
    const value = values[index - 1];
    if (value === undefined || value === '' || value === '.' || value === '..') {
      throw new HarnessError({ status: 0, code: 'INVALID_ARGUMENT', detail: `"${value ?? ''}" cannot be part of an address` });
    }
    return whole + encodeURIComponent(value) + part;
  });

export type QueryValue = string | number | boolean | bigint | readonly string[] | undefined;
export type Query = Readonly<Record<string, QueryValue>>;

/** `?a=1&b=x,y`, without the undefined ones; an empty text when nothing is left. */
export const queryString = (query: Query = {}): string => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) params.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
};
