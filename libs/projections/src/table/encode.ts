import type { ColumnType } from '../projection';

const arrayElement = (value: unknown) => `"${String(value).replace(/["\\]/g, '\\$&')}"`;

/** A value as the text that PostgreSQL parses for its type; null for SQL's NULL. */
export const encode = (type: ColumnType, value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'jsonb': return JSON.stringify(value);
    case 'text[]': return `{${(value as readonly unknown[]).map(arrayElement).join(',')}}`;
    case 'text': case 'bigint': case 'integer': case 'boolean': case 'double precision': return String(value);
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
