import { mayHoldSecret } from './secret-patterns.policy';

/** Names that make whatever stands under them a secret, as the last words of a key: `dbPassword` and `x-api-key` end in one, `tokenCount` does not. */
const LAST_WORDS = new Set([
  'password', 'passwords', 'passwd', 'passphrase', 'passcode', 'pwd', 'pass', 'secret', 'secrets', 'token', 'tokens', 'authorization', 'cookie', 'cookies',
  'credential', 'credentials', 'apikey', 'apikeys', 'privatekey', 'secretkey', 'accesskey', 'authtoken', 'cvv', 'cvc', 'otp',
]);
const LAST_TWO = new Set([
  'api key', 'api keys', 'private key', 'secret key', 'access key', 'encryption key', 'signing key', 'master key', 'account key', 'shared key', 'service key', 'auth key',
  'password hash', 'password confirm', 'password confirmation', 'password repeat', 'connection string', 'set cookie',
]);
/** Written as one word, a key still ends in these: `clientsecret`, `accesstoken`. */
const ONE_WORD = /(?:password|passwd|passphrase|apikeys?|secretkey|privatekey|accesskey|clientsecret|(?:access|refresh|auth|bearer|session|id|csrf|api)token)$/;
/** Counts of a language model's tokens are no secrets. */
const COUNTED = new Set(['max', 'min', 'num', 'total', 'prompt', 'completion', 'input', 'output', 'used', 'estimated', 'cached', 'reasoning', 'remaining', 'llm']);
/** Several of these are more often a number of something than a secret. */
const COUNTABLE = /(?:tokens|cookies|secrets|passwords|credentials)$/;

export type KeyKind = 'innocent' | 'secret' | 'secret unless a number';
/** What the name of a member says about its value, and whether the name might be a secret itself. */
type Name = { readonly kind: KeyKind; readonly suspicious: boolean };

/** Names repeat from call to call; a look at a known one costs a lookup. */
const known = new Map<string, Name>();
const MAX_KNOWN = 4_096;
const MAX_LENGTH = 128;

export const nameOf = (key: string): Name => {
  const before = known.get(key);
  if (before !== undefined) return before;
  const name = { kind: judge(key), suspicious: mayHoldSecret(key) };
  if (known.size < MAX_KNOWN && key.length <= MAX_LENGTH) known.set(key, name);
  return name;
};

export const kindOfKey = (key: string): KeyKind => nameOf(key).kind;

/** Whatever case, dashes or underscores it is written with. */
const judge = (key: string): KeyKind => {
  const words = wordsOf(key.slice(-MAX_LENGTH));
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  const named = LAST_WORDS.has(last) || LAST_TWO.has(`${before} ${last}`) || ONE_WORD.test(last);
  if (!named || (COUNTED.has(before) && last === 'tokens')) return 'innocent';
  return COUNTABLE.test(last) ? 'secret unless a number' : 'secret';
};

/** `AWS_SECRET_ACCESS_KEY`, `awsSecretAccessKey2` and `aws-secret.access key` are the same four words. */
const wordsOf = (key: string): readonly string[] =>
  key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]{1,128}/u)
    .map((word) => word.replace(/\d{1,8}$/, ''))
    .filter((word) => word !== '');
