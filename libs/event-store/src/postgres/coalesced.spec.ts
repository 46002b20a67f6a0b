import { expect, it } from '@jest/globals';
import { Coalesced } from './coalesced';

it('gathers what is asked while a question is under way, and never answers from a question asked before', async () => {
  const asked: { keys: readonly string[]; answer: (value: string) => void; fail: (error: Error) => void }[] = [];
  const questions = new Coalesced<string, string>((keys) => new Promise((answer, fail) => asked.push({ keys, answer, fail })));
  const first = questions.request(['a']);
  await Promise.resolve();
  await Promise.resolve();
  const second = questions.request(['b', 'a']);
  const third = questions.request(['c']);
  expect(asked.map(({ keys }) => keys)).toEqual([['a']]);
  asked[0]!.answer('one');
  expect(await first).toBe('one');
  await new Promise(setImmediate);
  expect(asked.map(({ keys }) => keys)).toEqual([['a'], ['b', 'a', 'c']]);
  asked[1]!.fail(new Error('no'));
  await expect(second).rejects.toThrow('no');
  await expect(third).rejects.toThrow('no');
  const fourth = questions.request(['d']);
  await new Promise(setImmediate);
  asked[2]!.answer('three');
  expect(await fourth).toBe('three');
});
