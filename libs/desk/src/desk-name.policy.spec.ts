import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { posix, win32 } from 'node:path';
import { folderProblem, MAX_DEPTH, MAX_NAME, nameProblem, spelled } from './desk-name.policy';

const TRICKS: readonly (readonly [string, readonly string[]])[] = [
  ['the way up', ['..', '.', '...', '../x', '..\\x', 'a/../b', '．．', '\u2025', '\u2024\u2024', '%2e%2e', '%2E%2E%2F', '..%c0%af']],
  ['absolute paths', ['/etc/passwd', '\\\\host\\share', 'C:\\x', 'C:x', 'file:///x', '//x', '~', '~root']],
  ['control characters', ['a\0b', 'a\nb', 'a\rb', 'a\tb', 'a\u001bb', 'a\u007fb', 'a\u0085b', 'x%00.md', 'a\u2028b', 'a\u2029b']],
  ['separators and their lookalikes', ['a/b', 'a\\b', 'a:b', 'a\u2215b', 'a\u2044b', 'a\uff0fb', 'a\uff3cb', 'a\u2216b', 'a\u29f8b', 'a*b', 'a?b', 'a"b', 'a<b', 'a|b']],
  ['what is not seen or turns the direction', ['a\u202eb', 'a\u2066b', 'a\u200bb', 'a\u200db', 'a\ufeffb', 'a\u00adb', 'a\u061cb', 'a\u{e0041}b', 'a\u3164b', '\u2800', 'a\ufe0fb']],
  ['reserved names', ['CON', 'con.md', 'Nul', 'aux.tar.gz', 'COM1', 'lpt9.txt', 'ｃｏｎ', 'COM\u00b9', 'conin$']],
  ['what a file system would cut off or hide', ['.hidden', 'a.', 'a ', ' a', '\u00a0a', 'a\u3000']],
  ['no name at all', ['', ' ', 'x'.repeat(MAX_NAME + 1), '\ud800']],
];

describe('A name on a desk', () => {
  it.each(['Plan.md', 'Größe 2030', '計画', 'résumé (final).v2', "O'Brien & co", 'a..b', 'console.md', 'x'.repeat(MAX_NAME), 'Überblick – März', 'مذكرة', '🙂'])('may be %s', (name) => {
    expect([nameProblem(name), folderProblem(name)]).toEqual([undefined, undefined]);
  });

  it.each(TRICKS.flatMap(([why, names]) => names.map((name) => [why, JSON.stringify(name), name] as const)))('[DESK-013] holds none of the path tricks: %s, %s', (_why, _shown, name) => {
    expect(nameProblem(name)).toEqual(expect.any(String));
    if (name !== '') {
      for (const folder of [`ok/${name}`, `${name}/ok`]) if (!name.includes('/') || folderProblem(name) !== undefined) expect(folderProblem(folder)).toEqual(expect.any(String));
    }
  });

  it('lies in folders that are relative, bounded and never empty in between', () => {
    for (const folder of ['', 'a', 'a/b', Array.from({ length: MAX_DEPTH }, () => 'a').join('/')]) expect(folderProblem(folder)).toBeUndefined();
    for (const folder of ['/', '/a', 'a/', 'a//b', 'a/./b', 'a/../b', Array.from({ length: MAX_DEPTH + 1 }, () => 'a').join('/'), `${'x'.repeat(100)}/`.repeat(5)]) expect(folderProblem(folder)).toEqual(expect.any(String));
  });

  it('[DESK-013] property: what is taken stays one name below its folder, on any file system and however it is spelled', () => {
    const part = fc.oneof(fc.constantFrom('.', '..', '/', '\\', '~', ':', '%2e', '\u202e', '\u200b', 'a', ' ', 'CON', '．', '／'), fc.string({ unit: 'grapheme', maxLength: 4 }), fc.string({ unit: 'binary', maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }).map((parts) => parts.join('')), (name) => {
        if (nameProblem(name) !== undefined) return;
        for (const form of [name, spelled(name), name.normalize('NFKC'), name.normalize('NFD')]) {
          expect(posix.join('/desk', form)).toBe(`/desk/${form}`);
          expect(win32.join('D:\\desk', form)).toBe(`D:\\desk\\${form}`);
          expect(/[\p{Cc}\u200b-\u200f\u202a-\u202e\u2066-\u2069]/u.test(form)).toBe(false);
        }
        expect(nameProblem(spelled(name))).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });
});
