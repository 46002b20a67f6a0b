import type { ColumnType } from '../projection';

/** PostgreSQL text holds no NUL; a fact that carries one must not stop a read model, so it is shown as the replacement character. */
export const storable = (text: string) => (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text);

/** JSON text that jsonb accepts: NUL and lone surrogates, which JSON.stringify escapes, become the replacement character. */
export const jsonText = (value: unknown) => {
  const text = JSON.stringify(value) ?? 'null';
  return text.includes('\\u') ? text.replace(/\\(?:\\|u0000|ud[89a-f][0-9a-f]{2})/g, (found) => (found === '\\\\' ? found : '\ufffd')) : text;
};

const arrayElement = (value: unknown) => `"${storable(String(value)).replace(/["\\]/g, '\\$&')}"`;

/** A value as the text that PostgreSQL parses for its type; null for SQL's NULL. Lone surrogates in text are replaced by the driver. */
export const encode = (type: ColumnType, value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'text': return storable(String(value));
    case 'jsonb': return jsonText(value);
    case 'text[]': return `{${(value as readonly unknown[]).map(arrayElement).join(',')}}`;
    case 'bigint': case 'integer': case 'boolean': case 'double precision': return String(value);
  }
};

/** One field of a line in COPY's text format. */
export const copyField = (type: ColumnType, value: unknown): string => {
  const text = encode(type, value);
  if (text === null) return '\\N';
  return needsEscape.test(text) ? text.replace(escapable, (found) => ESCAPES[found]!) : text;
};

const needsEscape = /[\\\n\r\t]/;
const escapable = /[\\\n\r\t]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
