import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { citationsBelow, citationsIn, coverage, parseExcuses, parseRegistry } from './requirements';

const root = join(import.meta.dirname, '..');
const textOf = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');

describe('The requirements gate', () => {
  const registered = [
    { id: 'LOG-001', statement: 'One.' },
    { id: 'LOG-002', statement: 'Two.' },
  ];
  const cited = registered.map(({ id }) => ({ id, where: 'a.spec.ts:1' }));

  it('is open when every registered requirement is cited', () => {
    expect(coverage(registered, cited, [])).toEqual([]);
  });

  it('is shut by a registered requirement that no test cites', () => {
    expect(coverage(registered, cited.slice(1), [])).toEqual(['LOG-001 is neither cited nor excused: One.']);
  });

  it('is shut by a test that cites an unknown requirement', () => {
    expect(coverage(registered, [...cited, { id: 'LOG-010', where: 'b.spec.ts:7' }], [])).toEqual([
      'LOG-010 is cited at b.spec.ts:7 but not registered',
    ]);
  });

  it('accepts an excuse with a reason, and none for what is proven, unknown or unexplained', () => {
    const excuse = { id: 'LOG-001', reason: 'Needs two machines.' };
    expect(coverage(registered, cited.slice(1), [excuse])).toEqual([]);
    expect(coverage(registered, cited, [excuse])).toEqual(['LOG-001 is excused although a test cites it']);
    expect(coverage(registered, cited, [{ ...excuse, id: 'LOG-009' }])).toEqual(['LOG-009 is excused but not registered']);
    expect(coverage(registered, cited.slice(1), [{ ...excuse, reason: '' }])).toEqual(['LOG-001 is excused without a reason']);
  });

  it('is shut by an id that is registered twice', () => {
    expect(coverage([...registered, ...registered.slice(1)], cited, [])).toEqual(['LOG-002 is registered more than once']);
  });

  it('reads registry and excuses from their files', () => {
    expect(parseRegistry('id\tissue\tstatement\nLOG-001\t1\tOne.\n')).toEqual([{ id: 'LOG-001', statement: 'One.' }]);
    expect(parseExcuses('# Title\n\n| id | reason |\n|---|---|\n| LOG-001 | Needs `a | b`. |\n| LOG-002 | |\n')).toEqual([
      { id: 'LOG-001', reason: 'Needs `a | b`.' },
      { id: 'LOG-002', reason: '' },
    ]);
  });

  it('counts the titles of tests that run, and nothing else', () => {
    const source = [
      `it('[LOG-001] keeps [LOG-002] order', () => undefined);`,
      'test(`[LOG-003] keeps ${n}`, async () => undefined);',
      `it.each([1, 2])('[LOG-004] keeps %i', () => undefined);`,
      `describe.each(adapters)('%s [LOG-005]', () => { it('[LOG-006] keeps', () => undefined); });`,
      'it.each`n\n${1}`("[LOG-007] keeps $n", () => undefined);',
      `it.skip('[LOG-${10}1] later', () => undefined);`,
      `it.todo('[LOG-${10}2] later');`,
      `xit('[LOG-${10}3] later', () => undefined);`,
      `// it('[LOG-${10}4] once', () => undefined);`,
      `const text = '[LOG-${10}5]'; expect('[LOG-${10}6]').toBe(text);`,
    ].join('\n');
    const found = citationsIn(source, 'a.spec.ts');
    expect(found.map(({ id }) => id)).toEqual(['LOG-001', 'LOG-002', 'LOG-003', 'LOG-004', 'LOG-005', 'LOG-006', 'LOG-007']);
    expect(found[3]).toEqual({ id: 'LOG-004', where: 'a.spec.ts:3' });
  });

  it('[ARCH-001] is open: every registered requirement is cited or excused, and no test cites an unknown one', () => {
    const real = parseRegistry(textOf('requirements.tsv'));
    expect(real.length).toBeGreaterThan(200);
    expect(real.filter(({ id, statement }) => !/^[A-Z]+-\d{3}$/.test(id) || statement === '')).toEqual([]);
    expect(coverage(real, citationsBelow(root, ['apps', 'libs', 'test']), parseExcuses(textOf('unproven.md')))).toEqual([]);
  });
});
