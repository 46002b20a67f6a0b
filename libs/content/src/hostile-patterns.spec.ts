import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runningContent, type RunningContent } from './testing/running-content';

/** A backtracking engine is not done with any of these before the end of the universe. */
const CATASTROPHIC = [['^(a+)+$', 'a'], ['^(a|aa)+$', 'a'], ['^(a|a?)+$', 'a'], ['^(.*a){20}$', 'b'], ['(x+x+)+y', 'x'], ['^([a-zA-Z]+)*$', 'a']] as const;
const WRITES = 8;

describe('A hostile pattern in a field', () => {
  let content: RunningContent;
  beforeAll(async () => {
    content = await runningContent();
  });
  afterAll(() => content.close());

  it('[SEC-014] does not block the service, however catastrophic the regular expression is', async () => {
    const fields = CATASTROPHIC.map(([pattern], n) => ({ name: `f${n}`, type: 'text', constraints: { pattern } }));
    expect((await content.send('POST', '/collections', { body: { name: 'hostile', fields } })).status).toBe(201);
    await content.send('POST', '/collections', { body: { name: 'calm', fields: [{ name: 'title', type: 'text' }] } });
    const data = Object.fromEntries(CATASTROPHIC.map(([, letter], n) => [`f${n}`, `${letter.repeat(3_300)}!`]));
    let isOpen = true;
    const hostile = Promise.all(Array.from({ length: WRITES }, () => content.send('POST', '/items/hostile', { body: { data } }))).finally(() => (isOpen = false));
    const waits: number[] = [];
    while (isOpen) {
      const started = performance.now();
      expect((await content.send('POST', '/items/calm', { body: { data: { title: 'On we go' } } })).status).toBe(201);
      waits.push(performance.now() - started);
    }
    // Each was looked at to its end, and refused for what it is: no text that these patterns match.
    for (const { status, facts } of await hostile) expect([status, facts.errors.map(({ pointer }) => pointer)]).toEqual([422, CATASTROPHIC.map((_one, n) => `/data/f${n}`)]);
    process.stdout.write(`hostile patterns: ${waits.length} requests beside ${WRITES} hostile ones, the slowest took ${Math.max(...waits).toFixed(0)} ms\n`);
    expect(Math.max(...waits)).toBeLessThan(3_000);
  });

  it('is refused when it is defined, if no linear engine can match it or it would be too much for one', async () => {
    await content.send('POST', '/collections', { body: { name: 'more', fields: [] } });
    for (const pattern of ['(?=a)b', '(a)\\1', '(?<!a)b', '(a{1000}){1000}', '(', '(a|']) {
      const answer = await content.send('POST', '/collections/more/fields', { body: { name: 'more', type: 'text', constraints: { pattern } } });
      expect([pattern, answer.status, answer.code, answer.facts.errors[0]?.pointer]).toEqual([pattern, 422, 'VALIDATION_FAILED', '/constraints/pattern']);
    }
    // Nor is more than can be looked at while others wait: of one value, of all values of an item.
    const all = Object.fromEntries(CATASTROPHIC.map(([, letter], n) => [`f${n}`, letter.repeat(4_000)]));
    const much = await content.send('POST', '/items/hostile', { body: { data: all } });
    expect([much.status, much.facts.errors.map(({ pointer }) => pointer)]).toEqual([422, ['/data']]);
    const long = await content.send('POST', '/items/hostile', { body: { data: { f0: 'a'.repeat(10_001) } } });
    expect([long.status, long.facts.errors[0]?.pointer]).toEqual([422, '/data/f0']);
  });
});
