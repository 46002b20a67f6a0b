/** The way down to a value, kept only to name the place in an error; one small object per container, none per leaf. */
type Place = { readonly up: Place | null; readonly key: string | number; readonly depth: number };

/** Readers parse what was written; a deeper value would overflow the stack of some of them. */
const MAX_DEPTH = 1_000;

/**
 * JSON in the one form of RFC 8785: members sorted by UTF-16 code units, numbers as ECMAScript prints them, no white space.
 * Members that are `undefined` are left out, and `toJSON` is honoured, as in `JSON.stringify`. What JSON cannot say is never bent into
 * something else: a TypeError names the place of a number that is not finite, a bigint, function or symbol, an `undefined` outside of
 * an object, a text with half a surrogate pair, and of nesting beyond 1 000 levels (which a cycle reaches too).
 */
export const canonicalJson = (value: unknown): string => write(value, null, '');

const write = (value: unknown, up: Place | null, key: string | number): string => {
  switch (typeof value) {
    case 'string':
      return quote(value, up, key);
    case 'number':
      if (!Number.isFinite(value)) throw refusal(`the number ${value} is not finite`, up, key);
      return String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return writeObject(value, { up, key, depth: up === null ? 0 : up.depth + 1 });
    default:
      throw refusal(`JSON has no ${typeof value}`, up, key);
  }
};

const writeObject = (value: object, place: Place): string => {
  if (place.depth > MAX_DEPTH) throw refusal(`the nesting is deeper than ${MAX_DEPTH} levels`, place.up, place.key);
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') return write(toJSON.call(value, String(place.key)), place.up, place.key);
  return Array.isArray(value) ? writeArray(value, place) : writeMembers(value as Readonly<Record<string, unknown>>, place);
};

const writeArray = (items: readonly unknown[], place: Place): string => {
  if (items.length === 0) return '[]';
  let text = `[${write(items[0], place, 0)}`;
  for (let i = 1; i < items.length; i++) text += `,${write(items[i], place, i)}`;
  return `${text}]`;
};

const writeMembers = (value: Readonly<Record<string, unknown>>, place: Place): string => {
  let text = '';
  for (const key of sorted(Object.keys(value))) {
    const member = value[key];
    if (member === undefined) continue;
    text += `${text === '' ? '{' : ','}${quoteKey(key, place)}${write(member, place, key)}`;
  }
  return text === '' ? '{}' : `${text}}`;
};

/** Most events list their members in one order for ever, often the sorted one: looking costs less than sorting again. */
const sorted = (keys: string[]): string[] => {
  for (let i = 1; i < keys.length; i++) if (keys[i - 1]! > keys[i]!) return keys.sort();
  return keys;
};

/** Any of these sends a text the slow way; half a pair is only found there. */
const UNUSUAL = /["\\\u0000-\u001f\ud800-\udfff]/;

const quote = (text: string, up: Place | null, key: string | number): string => {
  if (!UNUSUAL.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw refusal('the text holds half a surrogate pair', up, key);
  return JSON.stringify(text);
};

/** Member names repeat from event to event: remembering them quoted, with the colon, takes a quarter off the time of an average event. */
const quotedKeys = new Map<string, string>();
const MAX_QUOTED_KEYS = 4_096;

const quoteKey = (key: string, place: Place): string => {
  const known = quotedKeys.get(key);
  if (known !== undefined) return known;
  const quoted = `${quote(key, place, key)}:`;
  if (quotedKeys.size < MAX_QUOTED_KEYS && key.length <= 64) quotedKeys.set(key, quoted);
  return quoted;
};

const refusal = (reason: string, up: Place | null, key: string | number): TypeError => {
  const steps: string[] = [];
  for (let at: Place | null = up, step = key; at !== null; step = at.key, at = at.up) {
    steps.unshift(String(step).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1'));
  }
  return new TypeError(`No canonical JSON for ${steps.length === 0 ? 'the value' : `/${steps.join('/')}`}: ${reason}`);
};
