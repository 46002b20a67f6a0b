/** Of two lists of the same length that are not all zeros; what points the other way counts as nothing in common. */
export const cosine = (a: readonly number[], b: readonly number[]): number | undefined => {
  if (a.length !== b.length) return undefined;
  let dot = 0, ofA = 0, ofB = 0;
  for (let nr = 0; nr < a.length; nr++) {
    dot += a[nr]! * b[nr]!;
    ofA += a[nr]! ** 2;
    ofB += b[nr]! ** 2;
  }
  const length = Math.sqrt(ofA) * Math.sqrt(ofB);
  return length > 0 && Number.isFinite(length) && Number.isFinite(dot) ? Math.min(1, Math.max(0, dot / length)) : undefined;
};

/** Runs of three characters of every word, with a border at both ends: near spellings share most of them. */
const trigramsOf = (text: string): Set<string> => {
  const trigrams = new Set<string>();
  for (const [word] of text.normalize('NFKC').toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    const padded = ` ${word} `;
    for (let at = 0; at + 3 <= padded.length; at++) trigrams.add(padded.slice(at, at + 3));
    if (padded.length < 3) trigrams.add(padded);
  }
  return trigrams;
};

/** Which part of the question's trigrams the text has, from 0 to 1: a long text loses nothing by what else it says. */
export const similarityTo = (question: string): ((text: string) => number) => {
  const wanted = trigramsOf(question);
  return (text) => {
    if (wanted.size === 0) return 0;
    const found = trigramsOf(text);
    let shared = 0;
    for (const trigram of wanted) if (found.has(trigram)) shared++;
    return shared / wanted.size;
  };
};
