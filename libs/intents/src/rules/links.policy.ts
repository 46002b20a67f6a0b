import { textsOf } from './texts.policy';

/** Longer fields are looked at up to here, and no field is asked for more links: an item must not keep a scan busy. */
const MOST_CHARACTERS = 100_000;
export const MOST_LINKS = 50;

const URL_IN_TEXT = /https?:\/\/[^\s"'<>()[\]{}|\\^`]+/g;
const ITEM_IN_TEXT = /\bitem_[0-9a-f]{32}\b/g;
const TRAILING = /[.,;:!?*_~]+$/;

/** Addresses and ids of items that a value of a field points at, in the order in which they stand. */
export const linksIn = (value: unknown): readonly string[] => {
  const found = new Set<string>();
  for (const text of textsOf(value)) {
    const looked = text.slice(0, MOST_CHARACTERS);
    for (const [link] of looked.matchAll(URL_IN_TEXT)) found.add(link.replace(TRAILING, ''));
    for (const [id] of looked.matchAll(ITEM_IN_TEXT)) found.add(id);
  }
  return [...found].slice(0, MOST_LINKS);
};

export const isItemLink = (link: string): boolean => !link.includes('/');
