/** Where a command writes, and what surrounds it. Results go to `out`; progress, prompts and errors go to `err`. */
export type Terminal = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Where a progress bar is drawn: the stream behind `err`. */
  readonly bars: NodeJS.WritableStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the person presses Ctrl-C or the process is told to stop. */
  readonly signal: AbortSignal;
};

const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Text from the log made safe for a terminal: no control character can move the cursor, no direction mark can reorder what is read. */
export const printable = (text: string): string => text.replace(UNSAFE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
