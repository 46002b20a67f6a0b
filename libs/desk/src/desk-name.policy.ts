/** Names are shown, typed and compared by people; nothing here is ever a path of a file system, and nothing may pass for one. */
export const MAX_NAME = 120;
export const MAX_FOLDER = 400;
export const MAX_DEPTH = 8;

/** Controls, and characters that are not seen or turn the direction of what is: two names that look alike would not be. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0]/u;
/** What separates, begins or expands a path somewhere. */
const SEPARATORS = /[/\\:*?"<>|]/;
/** Lookalikes of a slash that do not fold into one. */
const LOOKALIKES = /[\u2044\u2215\u2216\u29f5\u29f8\u29f9\u2571\u2572]/;
/** A dot, a slash, a backslash, a colon or a control in its encoded form. */
const ENCODED = /%(?:2e|2f|5c|3a|7f|[01][0-9a-f]|25|c0|c1|e0)/i;
/** Devices of one operating system, whatever stands behind the first dot. */
const DEVICES = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9]|conin\$|conout\$)(?:\..*)?$/i;

const NO_SEPARATORS = 'A name holds none of / \\ : * ? " < > | and nothing that looks like them';

/** Why a text is no name of a file or of one folder; undefined when it is one. Judged as written and as compatibility forms fold it. */
export const nameProblem = (name: string): string | undefined => {
  if (name.length === 0 || [...name].length > MAX_NAME) return `A name has 1 to ${MAX_NAME} characters`;
  return LOOKALIKES.test(name) ? NO_SEPARATORS : (textProblem(name) ?? textProblem(name.normalize('NFKC')));
};

const textProblem = (name: string): string | undefined => {
  if (!name.isWellFormed() || UNSEEN.test(name)) return 'A name holds no control characters and none that cannot be seen';
  if (SEPARATORS.test(name)) return NO_SEPARATORS;
  if (/^[.~\s]|[.\s]$/.test(name)) return 'A name begins with no dot, tilde or space and ends with no dot or space';
  if (ENCODED.test(name)) return 'A name holds no encoded characters';
  if (DEVICES.test(name)) return 'This name is reserved';
  return undefined;
};

/** The root is the empty text; below it lie names, with a slash between two of them. */
export const folderProblem = (folder: string): string | undefined => {
  if (folder === '') return undefined;
  if (folder.length > MAX_FOLDER) return `A folder has at most ${MAX_FOLDER} characters`;
  const names = folder.split('/');
  if (names.length > MAX_DEPTH) return `A folder lies at most ${MAX_DEPTH} levels deep`;
  if (names.some((name) => name === '')) return 'A folder is written like notes/2030: relative, without a slash at either end or two in a row';
  return names.map(nameProblem).find((problem) => problem !== undefined);
};

/** One spelling for what looks the same. */
export const spelled = (text: string): string => text.normalize('NFC');
