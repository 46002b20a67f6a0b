const BEFORE = 60;
const LENGTH = 240;

/** The words of a search, each once. */
export const wordsOf = (query: string): readonly string[] => [...new Set(query.trim().toLowerCase().split(/\s+/))].slice(0, 10);

/** What stands around the first word that the text holds; its beginning when case folds otherwise there. */
export const excerptOf = (text: string, words: readonly string[]): string => {
  const at = words.map((word) => text.toLowerCase().indexOf(word)).find((place) => place >= 0) ?? 0;
  const from = Math.max(0, at - BEFORE);
  return text.slice(from, from + LENGTH).toWellFormed().replaceAll('\ufffd', '').trim();
};
