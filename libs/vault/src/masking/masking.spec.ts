import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { containsMask, MASK, maskSecrets, maskUnder, masksIn, scrub } from './masking.policy';
import { innocentName, innocentText, nested, plain, recognisable, secretName } from './planted.examples';

const RUNS = { numRuns: 300 };
const masked = (value: unknown) => maskSecrets(value).masked;

describe('Masking', () => {
  it.each(
    `password passwd dbPassword DB_PASSWORD user-password newPassword2 secret clientSecret client_secret clientsecret token accessToken access_token x-auth-token X-Api-Key apiKey
     api_key APIKey APIKEY authorization Authorization proxy-authorization cookie Set-Cookie privateKey private_key AWS_SECRET_ACCESS_KEY accessKey credential credentials passphrase
     refreshtoken pwd webhookSecret tokens`.split(/\s+/),
  )('hides what stands under %s', (name) => {
    expect(maskSecrets({ [name]: 'hunter2', title: 'x' })).toEqual({ masked: { [name]: MASK, title: 'x' }, changed: true, secrets: ['hunter2'] });
  });

  it.each(
    `tokenCount maxTokens max_tokens promptTokens secretary keyboard key keys passwordPolicy passwordMinLength tokenType secretName author authorised cookieBanner compass passenger
     bypass accessKeyRotation monkey publicKey apiKeyCount`.split(/\s+/),
  )('leaves %s alone', (name) => {
    const value = { [name]: 'open to all', nested: [{ [name]: 12 }] };
    expect(maskSecrets(value)).toEqual({ masked: value, changed: false, secrets: [] });
    expect(masked(value)).toBe(value);
  });

  it('leaves numbers of tokens, switches and empty values alone', () => {
    const value = { tokens: 512, token: null, password: '', secret: false, usage: { prompt_tokens: '12', total_tokens: 900 } };
    expect(masked(value)).toBe(value);
    expect(masked({ token: 123456, otp: 4711 })).toEqual({ token: MASK, otp: MASK });
  });

  it('shows how what is secret as a whole is built, and nothing of it', () => {
    expect(masked({ credentials: { user: 'ada', ids: [7, 'x'], ok: true, none: null } })).toEqual({ credentials: { user: MASK, ids: [7, MASK], ok: true, none: null } });
    expect(masked({ credential: { user: 'ada', pin: 7 } })).toEqual({ credential: { user: MASK, pin: MASK } });
  });

  it.each([
    ['Authorization: Bearer abc123def456', `Authorization: Bearer ${MASK}`],
    ['curl -H "authorization: basic YWRhOmh1bnRlcjI="', `curl -H "authorization: basic ${MASK}"`],
    ['postgres://ada:hunter2@db/x and https://ada@example.com', `postgres://ada:${MASK}@db/x and https://ada@example.com`],
    ['redis://:hunter2@cache:6379/0', `redis://:${MASK}@cache:6379/0`],
    ['https://x.example/cb?access_token=abcdef&state=7', `https://x.example/cb?access_token=${MASK}&state=7`],
    ['export DB_PASSWORD=hunter2; run', `export DB_PASSWORD=${MASK}; run`],
    ['{"user":"ada","password":"hunter2","n":1}', `{"user":"ada","password":"${MASK}","n":1}`],
    ['sent: {"password": "it\'s \\"mine\\""} …', `sent: {"password": "${MASK}"} …`],
    ['"{\\"apiKey\\":\\"abc def\\",\\"n\\":1}"', `"{\\"apiKey\\":\\"${MASK}\\",\\"n\\":1}"`],
    ["{'token': 'abc'}", `{'token': '${MASK}'}`],
    ['see AKIAABCDEFGHIJKLMNOP here', `see ${MASK} here`],
    ['-----BEGIN PRIVATE KEY-----\nProc-Type: 4\nAAAA', MASK],
    ['[{"password":4711,"more":"{\\"token\\":[\\"a b\\"]}"}]', `[{"password":4711,"more":"{\\"token\\":[\\"${MASK}\\"]}"}]`.replace('4711', `"${MASK}"`)],
  ])('finds what hides in a text: %s', (text, expected) => {
    expect(masked(text)).toBe(expected);
  });

  it.each([
    'A task-force-assessment-of-risks and a disk-image-backup', 'Basic understanding of the bearer certificates', 'https://example.com:8080/a@b', 'a==b && c=d', 'the token=',
    'secret://stripe', 'Bearer secret://api', 'password=secret://db', '{"title":"Tokens","tokenCount":"7"}', 'mailto:ada@example.com', 'It costs 12:30@noon', 'sk-short', 'eyJ.a.b',
  ])('leaves a text as it is: %s', (text) => {
    expect(masked({ text })).toEqual({ text });
    expect(maskSecrets([text]).changed).toBe(false);
  });

  it('replaces a secret in a name and loses no member by it', () => {
    const first = `ghp_${'a'.repeat(36)}`;
    const second = `ghp_${'b'.repeat(36)}`;
    expect(masked({ [first]: 1, [second]: 2, x: 3 })).toEqual({ [MASK]: 1, [`${MASK} (2)`]: 2, x: 3 });
    expect(masked({ 'sent {"pin": 1, "password": "hunter2"}': 1 })).toEqual({ [`sent {"pin": 1, "password": "${MASK}"}`]: 1 });
  });

  it('keeps a member called __proto__ a member', () => {
    const value = JSON.parse('{"__proto__":{"password":"hunter2"},"a":1}') as object;
    expect(JSON.stringify(masked(value))).toBe(`{"__proto__":{"password":"${MASK}"},"a":1}`);
  });

  it('[L13] no planted secret survives in any nesting', () => {
    const text = fc.tuple(innocentText, recognisable, innocentText).map(([before, secret, behind]) => ({ secret, leaf: `${before} ${secret} ${behind}` }));
    fc.assert(
      fc.property(text.chain(({ secret, leaf }) => fc.tuple(fc.constant(secret), nested(fc.constant(leaf)))), ([secret, value]) => {
        const { masked: after, changed } = maskSecrets(value);
        expect(changed).toBe(true);
        expect(JSON.stringify(after)).not.toContain(JSON.stringify(secret).slice(1, -1));
      }),
      RUNS,
    );
  });

  it('[L13] nothing that stands under the name of a secret survives', () => {
    const member = fc.tuple(secretName, plain, fc.boolean()).map(([name, secret, deeper]) => ({ secret, leaf: { [name]: deeper ? { a: [secret] } : secret } }));
    fc.assert(
      fc.property(member.chain(({ secret, leaf }) => fc.tuple(fc.constant(secret), nested(fc.constant(leaf)))), ([secret, value]) => {
        const { masked: after, secrets } = maskSecrets(value);
        expect(JSON.stringify(after)).not.toContain(secret);
        expect(secrets).toContain(secret);
        expect(JSON.stringify(maskSecrets(JSON.stringify(value)).masked)).not.toContain(secret);
      }),
      RUNS,
    );
  });

  it('masks once and for all', () => {
    const leaf = fc.oneof(recognisable, fc.tuple(secretName, plain).map(([name, secret]) => ({ [name]: secret })), fc.tuple(secretName, plain).map(([name, secret]) => JSON.stringify({ [name]: `${secret}"\\` })));
    fc.assert(fc.property(nested(leaf, fc.oneof(innocentName, secretName)), (value) => {
      const once = masked(value);
      expect(maskSecrets(once)).toEqual({ masked: once, changed: false, secrets: [] });
      expect(masked(once)).toBe(once);
      expect(containsMask(once)).toBe(once !== value);
    }), RUNS);
  });

  it('gives a value without secrets back as the same object', () => {
    fc.assert(fc.property(nested(fc.oneof(innocentText, fc.integer(), fc.constant(null))), (value) => {
      expect(masked(value)).toBe(value);
      expect(containsMask(value)).toBe(false);
    }), RUNS);
  });

  it('takes any text without harm, and lets only texts differ', () => {
    fc.assert(fc.property(fc.json({ maxDepth: 5 }), fc.string({ unit: 'binary' }), (json, text) => {
      const value = [JSON.parse(json), text] as unknown;
      const once = masked(value);
      expect(masked(once)).toEqual(once);
      expect(JSON.stringify(once)).toBeDefined();
    }), RUNS);
  });

  it.each([
    ['quotes', '"a":'.repeat(50_000)], ['open members', '"password":"'.repeat(20_000)], ['backslashes', `"password":"${'\\'.repeat(200_000)}`], ['key beginnings', '-----BEGIN PRIVATE KEY-----'.repeat(8_000)],
    ['dots', 'eyJabcdefgh.'.repeat(20_000)], ['one long token', `eyJ${'a'.repeat(300_000)}`], ['schemes', 'a://'.repeat(60_000)], ['dashes', 'a-'.repeat(120_000) + '='], ['words', 'bearer '.repeat(40_000)],
    ['names', 'aB'.repeat(100_000)],
  ])('takes linear time over hostile %s', (_name, text) => {
    const timed = (input: string) => {
      const began = performance.now();
      maskSecrets({ text: input, [input]: 1 });
      return performance.now() - began;
    };
    timed(text.slice(0, text.length / 8));
    // Quadratic time would need minutes; a slow machine needs half a second for none of them.
    expect(timed(text)).toBeLessThan(2_000);
  });

  it('masks what is nested deeper than anything that can be kept', () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 3_000; level++) deep = [deep];
    expect(JSON.stringify(masked(deep)).replace(/[[\]]/g, '')).toBe(`"${MASK}"`);
  });
});

describe('What was masked', () => {
  it('[APPR-021] is recognised when it comes back, with the place', () => {
    expect(masksIn({ data: [{ 'a/b': `x ${MASK} y` }], fine: 'secret://x' })).toMatchObject([{ path: '/data/0/a~1b', message: expect.stringContaining('send the secret itself') }]);
    expect(containsMask({ [MASK]: 1 })).toBe(true);
    expect(containsMask('••••• five')).toBe(false);
  });

  it('can be told apart from the record it came from', () => {
    expect(maskUnder('/data/apiKey', 'abc')).toBe(MASK);
    expect(maskUnder('/data/title', 'abc')).toBe('abc');
  });

  it('is taken out of whatever a tool says again', () => {
    const { secrets } = maskSecrets({ password: 'hunter2hunter2', token: 'abc' });
    const said = { note: 'logged in with hunter2hunter2, abc', 'hunter2hunter2': [1, 'hunter2hunter2'] };
    expect(scrub(said, secrets)).toEqual({ note: `logged in with ${MASK}, abc`, [MASK]: [1, MASK] });
    expect(scrub(said, [])).toBe(said);
  });

  it('is taken out in every usual writing, and where a text ends in the middle of it', () => {
    const secret = fc.string({ unit: fc.constantFrom(...'abcXYZ189 "\'\\%+/=&?#;,<>{}$!\n–é'), minLength: 6, maxLength: 40 }).map((text) => `Q7z${text}k2W`);
    fc.assert(fc.property(secret, fc.constantFrom('', '.', 'ab', 'abc'), fc.nat(), (text, lead, cut) => {
      const json = JSON.stringify(text).slice(1, -1);
      const before = Buffer.from(lead);
      const writings = [
        text, json, JSON.stringify(json).slice(1, -1), encodeURIComponent(text), encodeURIComponent(json), new URLSearchParams({ text }).toString().slice(5), new URLSearchParams({ json }).toString().slice(5),
        text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'), Buffer.from(text).toString('hex'), text.toUpperCase(),
      ];
      for (const writing of writings) expect(scrub(`${lead}${writing}.`, [text])).toBe(`${lead}${MASK}.`);
      for (const coded of ['base64', 'base64url'] as const) {
        const hidden = scrub(Buffer.concat([before, Buffer.from(text), before]).toString(coded), [text]);
        expect(Buffer.from(hidden.replaceAll(MASK, ''), 'base64').toString('latin1')).not.toMatch(/Q7z|k2W/);
      }
      const length = 6 + (cut % (text.length - 6));
      for (const mark of ['', '…']) expect(scrub(`${lead}${text.slice(0, length)}${mark}`, [text])).toBe(`${lead}${MASK}${mark}`);
    }), RUNS);
  });

  it('is taken out however long it is, in linear time', () => {
    const long = 'line of a certificate"\n'.repeat(2_700);
    const began = performance.now();
    const said = { plain: `x${long}y`, json: `${JSON.stringify({ long })}`, hostile: 'line of '.repeat(60_000), backslashes: '\\'.repeat(400_000) };
    const after = scrub(said, [long, '\\'.repeat(300), `${'a'.repeat(1_999)}b`]);
    expect([after.plain, after.json]).toEqual([`x${MASK}y`, `{"long":"${MASK}"}`]);
    // Quadratic time would need minutes.
    expect(performance.now() - began).toBeLessThan(4_000);
  });
});
