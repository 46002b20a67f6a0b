/** What stands in the place of a secret. Six bullets are in no key, no token and hardly any text. */
export const MASK = '••••••';

/**
 * Secrets that give themselves away by their form. No part of any pattern can be matched in two ways, and what may repeat is bounded or
 * begins at a border that a token has once: so the time is linear in the text.
 */
const KEYS = new RegExp(
  '(?<![A-Za-z0-9])(?:' +
    [
      'hk_[\\w!#$%&*+./:=?@^~-]{8,500}',
      'sk-[\\w-]{16,400}',
      '(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,200}',
      'gh[pousr]_[A-Za-z0-9]{16,300}',
      'github_pat_\\w{20,300}',
      'glpat-[\\w-]{16,100}',
      'xox[abeoprs]-[\\w-]{8,300}',
      '(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])',
      'AIza[\\w-]{30,100}',
      'npm_[A-Za-z0-9]{30,100}',
      'ya29\\.[\\w-]{20,500}',
    ].join('|') +
    ')',
  'g',
);
const JWT = /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/g;
const PEM = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|$)/g;
/** The scheme is a word of plain English as well, so what follows must look like a token: long, or with a digit, or padded. */
const SCHEME = /(?<![A-Za-z0-9])((?:bearer|basic) {1,8})((?=[A-Za-z._~+/-]{0,64}[0-9=])[\w.~+/=-]{8,}|[\w.~+/=-]{24,})/gi;
const URL_PASSWORD = /((?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/?#@:"']{0,256}:)([^\s/?#@"']{1,256})(?=@)/gi;
/** `password=…` of a query, a form or a shell line. */
const ASSIGNED = /(?<![A-Za-z0-9])((?:[A-Za-z0-9]{1,20}[_-]){0,4}(?:password|passwd|passphrase|pwd|(?:client[_-]?)?secret|(?:access|refresh|auth)?[_-]?token|(?:api|access|private)[_-]?key)=)([^\s&;,"'<>)\]}]{3,})/gi;
/** A member of JSON inside of a text, up to the quote that ends it, whichever way its quotes are escaped. */
const QUOTED = /((\\{0,3}["'])([A-Za-z][\w. -]{1,60})\2 {0,4}: {0,4}\2)((?:(?!\2)(?:\\[^\r\n]|[^\\\r\n]))+)/g;

/** Every pattern needs one of these, and most texts have none: one look instead of seven. Without a flag for the case it takes half the time. */
const HINT = /[a-z]k[-_]|gh[pousr]_|ub_pat|glpat-|xox|A[KS]IA|AIza|npm_|ya29\.|eyJ|PRIVATE KEY|[bB][eE][aA][rR][eE][rR] |[bB][aA][sS][iI][cC] |:\/\/|=|["'] {0,4}:/;
/** `pwd=abc` */
const SHORTEST = 7;

export const mayHoldSecret = (text: string): boolean => text.length >= SHORTEST && HINT.test(text);

export type Found = (secret: string) => void;

/** The text with every secret in it replaced; the same text when there is none. `isSecretKey` judges the names of quoted members. */
export const maskText = (text: string, isSecretKey: (key: string) => boolean, found: Found): string => {
  if (!mayHoldSecret(text)) return text;
  const whole = (secret: string) => {
    found(secret);
    return MASK;
  };
  const after = (match: string, lead: string, secret: string) => (isNoSecret(secret) ? match : lead + whole(secret));
  return text
    .replace(PEM, whole)
    .replace(JWT, whole)
    .replace(URL_PASSWORD, after)
    .replace(KEYS, whole)
    .replace(SCHEME, after)
    .replace(ASSIGNED, after)
    .replace(QUOTED, (match, lead: string, _quote: string, key: string, secret: string) => (isSecretKey(key) ? after(match, lead, secret) : match));
};

/** A mask stays a mask, and a reference, alone or behind a scheme, tells where the secret is and not what it is. */
const NO_SECRET = /^(?:(?:[A-Za-z]{1,20} )?secret:\/\/[A-Za-z0-9_.-]{1,64}|••••••)?$/;
export const isNoSecret = (text: string): boolean => NO_SECRET.test(text);
