const QUIET_MS = 30_000;
const MOST_SENTENCES = 100;

/**
 * Passes a sentence on once, and again when it still comes half a minute later, with how often it came meanwhile: while the database is
 * away, the read models together say the same thing fifty times a second.
 */
export const sparingly = (tell: (sentence: string) => void, now: () => number = () => performance.now()) => {
  const told = new Map<string, { readonly at: number; repeated: number }>();
  return (sentence: string): void => {
    const last = told.get(sentence);
    if (last && now() - last.at < QUIET_MS) {
      last.repeated++;
      return;
    }
    if (told.size >= MOST_SENTENCES) told.clear();
    told.set(sentence, { at: now(), repeated: 0 });
    tell(last?.repeated ? `${sentence} (and ${last.repeated} times more since the last such line)` : sentence);
  };
};
