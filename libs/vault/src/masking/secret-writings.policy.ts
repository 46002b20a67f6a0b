import { MASK } from './secret-patterns.policy';

/** A longer one is looked for as it is and as JSON writes it: all its writings would take too long to make. */
const LONGEST_SPELLED = 2_000;
/** So much of the beginning of a secret at the end of a text is no accident; nothing in this product is cut off later than the other. */
const SHORTEST_BEGINNING = 6;
const LONGEST_BEGINNING = 5_000;

/** Takes texts that are known to be secret out of another text. */
export type Cleaner = (text: string) => string;

/**
 * For these very texts, as they are and as programs write them inside of something else: escaped once or more for JSON, for a URL, a form or HTML, in base64
 * and in hex, in capitals or not. A text that was cut off in the middle of one loses that part, too. Every writing is a plain text, so the time is linear.
 */
export const cleanerOf = (secrets: readonly string[]): Cleaner => {
  const readable = [...new Set(secrets.flatMap(readableWritings))];
  const coded = secrets.filter(({ length }) => length <= LONGEST_SPELLED).flatMap(codedWritings);
  const writings = [...new Set([...readable, ...coded])];
  const [small, beginnings] = [lowered(writings), lowered(readable.map((writing) => writing.slice(0, LONGEST_BEGINNING)))];
  return (text) => {
    const inSmall = text.toLowerCase();
    // Some letters change their length when they are written small; then only what is written the same way is found.
    const isSame = inSmall.length === text.length;
    return withoutBeginning(without(text, isSame ? inSmall : text, isSame ? small : writings), beginnings);
  };
};

const lowered = (texts: readonly string[]) => [...new Set(texts.map((text) => text.toLowerCase()))];

/** Writings may overlap, as a secret and its escaped form do: what they cover together becomes one mask. `compared` is the text as it is compared with them. */
const without = (text: string, compared: string, writings: readonly string[]): string => {
  const found: (readonly [number, number])[] = [];
  for (const writing of writings) for (let at = compared.indexOf(writing); at >= 0; at = compared.indexOf(writing, at + writing.length)) found.push([at, at + writing.length]);
  if (found.length === 0) return text;
  const parts: string[] = [];
  let until = 0;
  for (const [from, to] of found.toSorted(([a], [b]) => a - b)) {
    if (from >= until) parts.push(text.slice(until, from), MASK);
    until = Math.max(until, to);
  }
  return parts.join('') + text.slice(until);
};

const readableWritings = (secret: string): readonly string[] => {
  const json = [secret];
  for (let level = 0; level < 3; level++) json.push(JSON.stringify(json[level]!).slice(1, -1));
  if (secret.length > LONGEST_SPELLED) return [...new Set(json)];
  return [...new Set(json.flatMap((text) => [text, ...inUrls(text), ...inHtml(text)]))];
};

/** A component of a URL, a field of a form, a path and a query as the URL standard writes them. */
const inUrls = (text: string): readonly string[] => {
  const whole = encodeURIComponent(text.toWellFormed());
  const form = whole.replaceAll(/[!'()~]/g, percent).replaceAll('%20', '+');
  return [whole, form, kept(text, /[\s"#<>?`{}^]/g), kept(text, /[\s"#<>]/g), kept(text, /[\s"#<>']/g)];
};

const percent = (character: string) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
const kept = (text: string, written: RegExp) => text.toWellFormed().replaceAll(/[^\x20-\x7e]+/g, encodeURIComponent).replaceAll(written, percent);

const inHtml = (text: string): readonly string[] => {
  const most = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [most, most.replaceAll('"', '&quot;'), most.replaceAll('"', '&quot;').replaceAll("'", '&#39;'), most.replaceAll('"', '&#34;').replaceAll("'", '&#39;')];
};

/** Base64 depends on what stands before: these are the characters that are the same for each of the three cases, in both alphabets. */
const codedWritings = (secret: string): readonly string[] => {
  const bytes = new TextEncoder().encode(secret);
  const text = String.fromCharCode(...bytes);
  const inBase64 = [0, 1, 2].flatMap((before) => {
    const sure = btoa('\0'.repeat(before) + text).slice(Math.ceil((before * 8) / 6), Math.floor(((before + text.length) * 8) / 6));
    return [sure, sure.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [...new Set([[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''), ...inBase64])];
};

/** Also where `…` says that there was more. */
const withoutBeginning = (text: string, beginnings: readonly string[]): string => {
  const end = text.endsWith('…') ? text.length - 1 : text.length;
  const tail = text.slice(Math.max(0, end - LONGEST_BEGINNING), end).toLowerCase();
  // Writing it small may have changed its length.
  const missing = tail.length === Math.min(end, LONGEST_BEGINNING) ? beginnings.reduce((most, beginning) => Math.max(most, lengthAtEnd(tail, beginning)), 0) : 0;
  const from = end - missing;
  return from === end ? text : text.slice(0, from) + MASK + text.slice(end);
};

/** How much of the beginning a text ends with; 0 where it is less than counts. */
const lengthAtEnd = (tail: string, beginning: string): number => {
  const head = beginning.slice(0, SHORTEST_BEGINNING);
  for (let at = tail.indexOf(head, tail.length - beginning.length); at >= 0; at = tail.indexOf(head, at + 1)) if (beginning.startsWith(tail.slice(at))) return tail.length - at;
  return 0;
};
