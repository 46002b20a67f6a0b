import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { memoryForPrompt } from './memory-for-prompt.policy';
import type { KeptText } from './memory.schema';
import { redacted } from './redact-memory/redaction.policy';
import { isExpired, isInScope, type Reader } from './scope.policy';
import { HALF_LIFE_MS, rank, type Candidate } from './search-memory/ranking.policy';
import { cosine, similarityTo } from './search-memory/similarity.policy';

const NOW = new Date('2030-06-01T00:00:00.000Z');
const text = (content: string, embedding: readonly number[] | null = null): KeptText => ({ content, tags: [], sources: [], embedding: embedding && [...embedding] });
const NOBODY: Reader = { siteId: 'site_a', role: null, goalId: null, userId: null };
let made = 0;
const entry = (over: Partial<Candidate> = {}): Candidate => ({
  id: `mem_${String(++made).padStart(4, '0')}`, siteId: 'site_a', scope: { role: null, goalId: null, userId: null }, text: text('Teapots are sold by the dozen'), confidence: 1, expiresAt: null,
  changedAt: NOW.toISOString(), ...over,
});
const ids = (found: readonly { readonly entry: Candidate }[]) => found.map((each) => each.entry.id);

describe('Similarity', () => {
  it('of vectors is their cosine, and nothing when they point away from each other or do not compare', () => {
    expect(cosine([1, 0], [1, 0])).toBe(1);
    expect(cosine([1, 0], [1, 1])).toBeCloseTo(Math.SQRT1_2);
    expect(cosine([1, 0], [-1, 0])).toBe(0);
    expect(cosine([1, 0], [1, 0, 0])).toBeUndefined();
    expect(cosine([0, 0], [1, 0])).toBeUndefined();
    expect(cosine([1e308, 1e308], [1e308, 1e308])).toBeUndefined();
  });

  it('of texts is the share of the question that stands in them, whatever else they say', () => {
    const to = similarityTo('Green teapot');
    expect(to('a GREEN teapot, and much more about other things')).toBe(1);
    expect(to('green teapots')).toBeGreaterThan(to('green'));
    expect(to('')).toBe(0);
    expect(similarityTo('…')('anything')).toBe(0);
  });

  it('lies between 0 and 1 for any texts and any vectors', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
      const similarity = similarityTo(a)(b);
      return similarity >= 0 && similarity <= 1;
    }));
    fc.assert(fc.property(fc.array(fc.double({ noNaN: true }), { minLength: 1, maxLength: 4 }), fc.array(fc.double({ noNaN: true }), { minLength: 1, maxLength: 4 }), (a, b) => {
      const similarity = cosine(a, b);
      return similarity === undefined || (similarity >= 0 && similarity <= 1);
    }));
  });
});

describe('Retrieval', () => {
  const word = fc.constantFrom('x', 'y', 'z');
  const maybe = fc.option(word);
  const scopes = fc.record({ role: maybe, goalId: maybe, userId: maybe });
  const readers = fc.record({ siteId: word, role: maybe, goalId: maybe, userId: maybe });

  it('[MEMORY-006] [MEMORY-008] gives only what is in scope and has not expired: nothing of another site, goal or user, whatever is asked', () => {
    const entries = fc.array(fc.record({ siteId: word, scope: scopes, ms: fc.option(fc.integer({ min: -2, max: 2 })) }), { maxLength: 40 });
    fc.assert(
      fc.property(entries, readers, fc.constantFrom(undefined, 'teapots', 'dozen'), (given, reader, question) => {
        const candidates = given.map(({ siteId, scope, ms }) => entry({ siteId, scope, expiresAt: ms === null ? null : new Date(NOW.getTime() + ms).toISOString() }));
        const found = rank(candidates, reader, { text: question }, NOW, 1_000).map((each) => each.entry);
        for (const { siteId, scope, expiresAt } of found) {
          expect(siteId).toBe(reader.siteId);
          expect([reader.goalId, null]).toContain(scope.goalId);
          expect([reader.userId, null]).toContain(scope.userId);
          expect([reader.role, null]).toContain(scope.role);
          expect(expiresAt === null || new Date(expiresAt) > NOW).toBe(true);
        }
        const kept = new Set(found);
        for (const left of candidates.filter((each) => !kept.has(each))) expect(isInScope(left, reader) && !isExpired(left, NOW)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('[MEMORY-007] ranks by similarity × confidence × recency', () => {
    const old = new Date(NOW.getTime() - HALF_LIFE_MS).toISOString();
    const [best, sure, near, faded] = [
      entry({ text: text('green teapot') }), entry({ text: text('green teapot'), confidence: 0.9 }), entry({ text: text('green kettle'), confidence: 0.9 }), entry({ text: text('green teapot'), changedAt: old }),
    ];
    const found = rank([faded, near, sure, best], NOBODY, { text: 'green teapot' }, NOW, 10);
    expect(ids(found).slice(0, 2)).toEqual([best.id, sure.id]);
    expect(found.find((each) => each.entry === faded)).toMatchObject({ similarity: 1, recency: 0.5, score: 0.5 });
    for (const { entry: { confidence }, similarity, recency, score } of found) expect(score).toBe(similarity * confidence * recency);
    fc.assert(
      fc.property(fc.array(fc.record({ confidence: fc.double({ min: 0, max: 1, noNaN: true }), days: fc.integer({ min: 0, max: 400 }), content: fc.constantFrom('green', 'teapot', 'green teapot', 'lamp') })), (given) => {
        const candidates = given.map(({ confidence, days, content }) => entry({ confidence, text: text(content), changedAt: new Date(NOW.getTime() - days * 86_400_000).toISOString() }));
        const scores = rank(candidates, NOBODY, { text: 'green teapot' }, NOW, 1_000).map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }),
    );
  });

  it('compares embeddings where both sides have one, and words where not', () => {
    const [far, near, worded] = [entry({ text: text('teapot', [0, 1]) }), entry({ text: text('unrelated', [1, 0.1]) }), entry({ text: text('a teapot') })];
    expect(ids(rank([far, near, worded], NOBODY, { text: 'teapot', embedding: [1, 0] }, NOW, 10))).toEqual([worded.id, near.id]);
    expect(ids(rank([worded, near], NOBODY, { embedding: [1, 0] }, NOW, 10))).toEqual([near.id]);
    expect(rank([far, near, worded], NOBODY, {}, NOW, 10).map(({ similarity }) => similarity)).toEqual([1, 1, 1]);
  });
});

describe('A memory', () => {
  const SECRET = 'sk-proj-Zk3uQ8vB1xY7mN5pL2rT9wS4aD6fG0hJ';

  it('[MEMORY-005] is masked once more before it gets into a prompt, also when it was stored with its secrets', () => {
    expect(JSON.stringify(memoryForPrompt({ content: `The key is ${SECRET}`, tags: [`Bearer ${SECRET}`], sources: ['{"password":"opensesame"}'] }))).not.toMatch(/Zk3uQ8|opensesame/);
  });

  it('loses by a redaction what was named, however it is written, and its embedding', () => {
    const kept = { content: 'Call ADA (ada@x.y) or ada+1', tags: ['ada'], sources: ['from Bob'], embedding: [1] };
    expect(redacted(kept, { texts: ['ada@x.y', 'ada'] })).toEqual({ content: 'Call [redacted] ([redacted]) or [redacted]+1', tags: ['[redacted]'], sources: ['from Bob'], embedding: null });
    expect(redacted(kept, { texts: ['.*'] })).toBeUndefined();
    expect(redacted(kept, { content: 'Somebody' })).toMatchObject({ content: 'Somebody', embedding: null });
  });
});
