import fc from 'fast-check';

/**
 * Every secret that is made here begins and ends with one of these and has some letters of its own between them. So whoever looks for these two words finds all
 * of them at once, whole or cut in two, and however programs write quotes, blanks and umlauts: no program writes a letter or a digit in another way.
 */
const [HEAD, TAIL] = ['Qx7ZkWv9', 'mR4tYp2J'];
const WORD = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const of = (characters: string, min: number, max: number) => fc.string({ unit: fc.constantFrom(...characters), minLength: min, maxLength: max });
const planted = (middle: fc.Arbitrary<string>) => middle.map((text) => HEAD + text + TAIL);

/** One that may stand anywhere: in an environment, a path, a bearer token. */
export const wordNamed = (name: string): string => `${HEAD}0${name.replaceAll(/[^A-Za-z0-9]/g, '')}0${TAIL}`;
const word = planted(of(WORD, 4, 24));
/** What HTTP allows in a header, with all that some program or other would write differently. */
const headerValue = planted(of(`${WORD} "'\\%+/=&?#;,<>{}$!`, 1, 24));
/** Only the name that it stands under gives it away. */
const phrase = planted(fc.oneof(of(`${WORD} "'\\%+/=&?#;,<>{}$!:@\n\tß–é🗝`, 1, 24), fc.constant('x'.repeat(1_500))));

/** Texts in which a secret gives itself away by its form. */
const text = fc.tuple(word, phrase, fc.lorem({ maxCount: 8 }), fc.integer({ min: 0, max: 9 })).map(([one, other, words, form]) => {
  const forms = [
    `ghp_${one}`, `sk-proj-${one}`, `eyJ${one}.eyJ${one}.${one}`, `Authorization: Bearer ${one}`, `postgres://ada:${encodeURIComponent(other.length > 60 ? one : other)}@db.example/x`, `DB_PASSWORD=${one}`,
    JSON.stringify({ apiKey: other, nr: 7 }), JSON.stringify(JSON.stringify({ client: { clientSecret: other } })), `-----BEGIN PRIVATE KEY-----\n${one}\n${one}\n-----END PRIVATE KEY-----`,
    `https://x.example/cb?state=7&access_token=${one}`,
  ];
  return `${words} ${forms[form]!}`;
});

export type Secrets = { readonly word: string; readonly phrase: string; readonly text: string; readonly header: string; readonly filler: number };
export const secrets: fc.Arbitrary<Secrets> = fc.record({ word, phrase, text, header: headerValue, filler: fc.integer({ min: 0, max: 330 }) });

/** As base64 writes it, whatever stands before and behind it. */
const inBase64 = (secret: string): readonly string[] => [0, 1, 2].flatMap((before) => {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
  const sure = bytes.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
  return [...new Set([sure, sure.replaceAll('+', '-').replaceAll('/', '_')])];
});
const inHex = (secret: string) => Buffer.from(secret).toString('hex');

/** Looks for all secrets of a spec: those from above, and those that the server made and told once. */
export class SecretSearch {
  private readonly exact = new Set([HEAD, TAIL].flatMap(inBase64));
  private readonly lower = new Set([HEAD, TAIL].flatMap((mark) => [mark.toLowerCase(), inHex(mark)]));
  readonly made = new Map<string, string>();

  /** `length`: how much of it, from the end, is secret. A half of that counts as a find, too. */
  add(what: string, secret: string, length = secret.length): void {
    const part = secret.slice(-length);
    if (part.length < 16) throw new Error(`${what} is too short to be looked for`);
    this.made.set(secret, what);
    for (const half of [part.slice(0, 12), part.slice(-12)]) {
      this.exact.add(half);
      for (const form of inBase64(half)) this.exact.add(form);
      this.lower.add(inHex(half));
    }
  }

  /** What stands around each find, at most one per text. */
  in(texts: readonly string[]): readonly string[] {
    return texts.flatMap((each) => {
      const small = each.toLowerCase();
      for (const [forms, where] of [[this.exact, each], [this.lower, small]] as const)
        for (const form of forms) {
          const at = where.indexOf(form);
          if (at >= 0) return [each.slice(Math.max(0, at - 160), at + 120)];
        }
      return [];
    });
  }
}
