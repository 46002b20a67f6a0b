const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  euro: '€',
  hellip: '…',
};

const codePoint = (value: number): string | undefined =>
  value > 0 && value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff) ? String.fromCodePoint(value) : undefined;

/** Decodes HTML entities once: `&amp;lt;` becomes `&lt;`, as it was written. Unknown names stay as they are. */
export const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi,
    (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      if (hex !== undefined) return codePoint(parseInt(hex, 16)) ?? whole;
      if (decimal !== undefined) return codePoint(Number(decimal)) ?? whole;
      return ENTITIES[(name ?? '').toLowerCase()] ?? whole;
    },
  );

/** Written in capitals for ever, whatever the rest of the title does. */
const STAYS = /^(?:LED|USB|PVC|HSS|SDS|DIY|[WV]|[A-Z]{1,2}\d+[A-Z]?)$/;

const isShouting = (text: string): boolean => (text.match(/\p{Lu}/gu) ?? []).length >= 4 && !/\p{Ll}/u.test(text);

const calm = (text: string): string => {
  const lower = text.replace(/[\p{L}\p{N}]+/gu, (word) => (STAYS.test(word) ? word : word.toLowerCase()));
  return lower.replace(/\p{L}/u, (first) => first.toUpperCase());
};

/** A title as a shop shows it: entities decoded, spaces single, ends trimmed, composed accents, no SHOUTING. */
export const cleanTitle = (title: string): string => {
  const text = decodeEntities(title).replace(/\s+/gu, ' ').trim().normalize('NFC');
  return isShouting(text) ? calm(text) : text;
};

/** Text of several lines: entities decoded, line ends LF, no spaces at the ends. */
export const cleanText = (text: string): string => decodeEntities(text).replace(/\r\n?/g, '\n').trim().normalize('NFC');
