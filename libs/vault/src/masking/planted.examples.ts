import fc from 'fast-check';

const letters = (text: string, min: number, max = min) => fc.string({ unit: fc.constantFrom(...text), minLength: min, maxLength: max });
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const WORD = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const URL_SAFE = `${WORD}_-`;
const after = (lead: string, rest: fc.Arbitrary<string>) => rest.map((text) => lead + text);

/** Secrets that give themselves away by their form, wherever they stand. */
export const recognisable: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(letters('0123456789abcdef', 32), letters(URL_SAFE, 43)).map(([id, secret]) => `hk_${id}_${secret}`),
  after('sk-', letters(URL_SAFE, 20, 60)),
  after('sk-proj-', letters(URL_SAFE, 40, 120)),
  after('sk_live_', letters(WORD, 24)),
  fc.tuple(fc.constantFrom('ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'), letters(WORD, 36)).map((parts) => parts.join('')),
  after('github_pat_', letters(WORD, 60)),
  fc.tuple(fc.constantFrom('xoxb-', 'xoxa-', 'xoxp-'), letters('0123456789', 10), letters(WORD, 24)).map(([lead, id, secret]) => `${lead}${id}-${secret}`),
  after('AKIA', letters(UPPER, 16)),
  fc.tuple(letters(URL_SAFE, 20, 60), letters(URL_SAFE, 20, 200), letters(URL_SAFE, 43)).map(([head, body, sign]) => `eyJ${head}.eyJ${body}.${sign}`),
  fc.tuple(fc.constantFrom('', 'RSA ', 'EC ', 'ENCRYPTED '), fc.array(letters(`${WORD}+/=`, 64), { minLength: 1, maxLength: 20 })).map(
    ([kind, lines]) => `-----BEGIN ${kind}PRIVATE KEY-----\n${lines.join('\n')}\n-----END ${kind}PRIVATE KEY-----`,
  ),
);

/** As a caller would write the name of a secret, in any of the usual ways. */
export const secretName: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', 'db', 'aws', 'my new', 'user'),
    fc.constantFrom('password', 'passwd', 'secret', 'token', 'access token', 'api key', 'authorization', 'cookie', 'private key', 'client secret', 'access key', 'credential', 'credentials', 'passphrase'),
    fc.constantFrom('snake', 'kebab', 'camel', 'pascal', 'upper', 'spaced'),
  )
  .map(([lead, name, style]) => {
    const words = `${lead} ${name}`.trim().split(' ');
    const titled = words.map((word) => word[0]!.toUpperCase() + word.slice(1));
    switch (style) {
      case 'snake':
        return words.join('_');
      case 'kebab':
        return words.join('-');
      case 'camel':
        return words[0]! + titled.slice(1).join('');
      case 'pascal':
        return titled.join('');
      case 'upper':
        return words.join('_').toUpperCase();
      default:
        return words.join(' ');
    }
  });

/** Values that nobody can recognise: only the name they stand under tells. */
export const plain: fc.Arbitrary<string> = letters(`${WORD}!$%&*`, 12, 40).map((text) => `Zz9${text}`);

/** Names and texts that hold no secret. */
export const innocentName = fc.constantFrom('title', 'tokenCount', 'maxTokens', 'secretary', 'keyboard', 'passwordPolicy', 'tokenType', 'key', 'author', 'cookieBanner', 'compass', 'passenger', 'a/b');
export const innocentText = fc.oneof(
  fc.lorem({ maxCount: 12 }), fc.constantFrom('', 'secret://stripe', 'Bearer secret://api', 'risk-assessment-of-the-whole-thing', 'a=b', 'https://example.com:8080/x?y=z', 'basic understanding of it', '::'),
);

/** Any JSON around a leaf, with text, numbers and more members beside it. */
export const nested = (leaf: fc.Arbitrary<unknown>, names: fc.Arbitrary<string> = innocentName): fc.Arbitrary<unknown> =>
  fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.array(fc.oneof(tie('node'), innocentText, fc.integer()), { minLength: 1, maxLength: 4 }).chain((items) => tie('node').map((node) => [...items, node])),
      fc.tuple(names, tie('node'), innocentName, innocentText).map(([name, node, other, text]) => ({ [other]: text, [name]: node })),
    ),
  })).node;
