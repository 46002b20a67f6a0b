import { kindOfKey, nameOf, type KeyKind } from './secret-keys.policy';
import { isNoSecret, MASK, maskText, mayHoldSecret, type Found } from './secret-patterns.policy';
import { cleanerOf, type Cleaner } from './secret-writings.policy';

export { MASK } from './secret-patterns.policy';

/**
 * `masked` is the very value that was given when there was no secret in it. `secrets` are the texts that were taken out, for whoever has to
 * keep them out of something else; hold them no longer than that takes.
 */
export type Masked<T> = { readonly masked: T; readonly changed: boolean; readonly secrets: readonly string[] };

type Place = { readonly path: string; readonly message: string };

/** As deep as anything that can be stored; what lies deeper is masked whole. */
const MAX_DEPTH = 1_000;
/** Shorter secrets occur in other texts by accident. */
const SHORTEST_SCRUBBED = 6;

/**
 * A JSON value without its secrets: those that the name of a member gives away, in whole, and those that give themselves away by their form,
 * wherever they stand in a text or in a name. References such as `secret://name` stay. What comes out is masked once and for all: masking it
 * again changes nothing. Linear in the size of the value.
 */
export const maskSecrets = <T>(value: T): Masked<T> => {
  const secrets = new Set<string>();
  const masked = mask(value, 'innocent', (secret) => !secret.includes(MASK) && secrets.add(secret), 0) as T;
  return { masked, changed: masked !== value, secrets: [...secrets] };
};

/** As if the value stood under a name, for what is told apart from the record it came from. */
export const maskUnder = <T>(name: string, value: T): T => mask(value, kindOfKey(name), () => undefined, 0) as T;

const mask = (value: unknown, kind: KeyKind, found: Found, depth: number): unknown => {
  switch (typeof value) {
    case 'string':
      return kind === 'innocent' ? maskLoose(value, found, depth) : maskWhole(value, found);
    case 'number':
      return kind === 'secret' ? maskWhole(String(value), found) : value;
    case 'object':
      if (value === null) return value;
      if (depth >= MAX_DEPTH) return MASK;
      return Array.isArray(value) ? maskItems(value, kind, found, depth + 1) : maskMembers(value as Readonly<Record<string, unknown>>, kind, found, depth + 1);
    default:
      return value;
  }
};

const isSecretKey = (key: string) => kindOfKey(key) !== 'innocent';

/** A text that is JSON is masked as what it says: a body that is to be sent, for instance. */
const maskLoose = (text: string, found: Found, depth: number): string => {
  const json = mayHoldSecret(text) && /^\s{0,16}[[{]/.test(text) ? parsed(text) : undefined;
  if (json === undefined) return maskText(text, isSecretKey, found);
  const masked = mask(json, 'innocent', found, depth + 1);
  return masked === json ? text : JSON.stringify(masked);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const maskWhole = (text: string, found: Found) => {
  if (isNoSecret(text)) return text;
  found(text);
  return MASK;
};

const maskItems = (items: readonly unknown[], kind: KeyKind, found: Found, depth: number): readonly unknown[] => {
  let copy: unknown[] | undefined;
  for (let nr = 0; nr < items.length; nr++) {
    const before = items[nr];
    const after = mask(before, kind, found, depth);
    if (after !== before) (copy ??= [...items])[nr] = after;
  }
  return copy ?? items;
};

/** Everything below a secret name is secret; its own names only tell how it is built. */
const maskMembers = (members: Readonly<Record<string, unknown>>, kind: KeyKind, found: Found, depth: number): unknown => {
  let changed: Map<string, unknown> | undefined;
  let renamed = false;
  for (const key of Object.keys(members)) {
    const before = members[key];
    const { kind: own, suspicious } = nameOf(key);
    const after = mask(before, kind === 'innocent' ? own : kind, found, depth);
    const name = suspicious ? maskText(key, isSecretKey, found) : key;
    renamed ||= name !== key;
    if (after !== before || name !== key) (changed ??= new Map()).set(key, after);
  }
  if (!changed) return members;
  const entries = Object.keys(members).map((key) => [key, changed.has(key) ? changed.get(key) : members[key]] as const);
  return Object.fromEntries(renamed ? withMaskedNames(entries) : entries);
};

/** Two names that become one mask stay two members. */
const withMaskedNames = (entries: readonly (readonly [string, unknown])[]) => {
  const used = new Map<string, number>();
  return entries.map(([key, value]) => {
    const name = maskText(key, isSecretKey, () => undefined);
    const nr = (used.get(name) ?? 0) + 1;
    used.set(name, nr);
    return [nr === 1 ? name : `${name} (${nr})`, value] as const;
  });
};

/** Where a value holds a mask: at most 20 places, as JSON pointers. Whoever sends one back would overwrite the secret with it. */
export const masksIn = (value: unknown): readonly Place[] => {
  const places: Place[] = [];
  if (containsMask(value)) look(value, '', 0, places);
  return places;
};

export const containsMask = (value: unknown): boolean => holdsMask(value, 0);

const holdsMask = (value: unknown, depth: number): boolean => {
  if (typeof value === 'string') return value.includes(MASK);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.some((item) => holdsMask(item, depth + 1));
  for (const key of Object.keys(value)) if (key.includes(MASK) || holdsMask((value as Readonly<Record<string, unknown>>)[key], depth + 1)) return true;
  return false;
};

const MOST_PLACES = 20;
const REFUSAL = `holds ${MASK}, which stands for a secret that is not shown; send the secret itself`;

const look = (value: unknown, path: string, depth: number, places: Place[]): void => {
  if (places.length >= MOST_PLACES || depth > MAX_DEPTH) return;
  if (typeof value === 'string') {
    if (value.includes(MASK)) places.push({ path, message: REFUSAL });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const below = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (key.includes(MASK)) places.push({ path: below, message: REFUSAL });
    look(inner, below, depth + 1, places);
  }
};

/** The value without these very texts, wherever and however they are written in it: what a tool was given it may say again in its answer. */
export const scrub = <T>(value: T, secrets: readonly string[]): T => {
  const told = new Set(secrets.filter(({ length }) => length >= SHORTEST_SCRUBBED));
  return told.size === 0 ? value : (scrubbed(value, told, cleanerOf([...told]), 0) as T);
};

const scrubbed = (value: unknown, secrets: ReadonlySet<string>, clean: Cleaner, depth: number): unknown => {
  if (typeof value === 'string') return clean(value);
  if (typeof value === 'number') return secrets.has(String(value)) ? MASK : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return MASK;
  if (Array.isArray(value)) return value.map((item) => scrubbed(item, secrets, clean, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [clean(key), scrubbed(inner, secrets, clean, depth + 1)]));
};
