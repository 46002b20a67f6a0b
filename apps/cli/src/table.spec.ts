import { describe, expect, it } from '@jest/globals';
import { aligned, table } from './table';
import { printable } from './terminal';

describe('A table', () => {
  it('aligns its columns and leaves no spaces at the ends of lines', () => {
    expect(
      table(
        ['NAME', 'STATE'],
        [
          ['goals', 'live'],
          ['approvals', null],
        ],
      ),
    ).toBe('NAME       STATE\ngoals      live\napprovals');
  });

  it('says that there is nothing', () => {
    expect(table(['NAME'], [])).toBe('Nothing to show.');
  });

  it('cannot be broken by what it shows', () => {
    expect(
      aligned([
        ['a\nb\u001b[2J', 'x'],
        ['é', 'y'],
      ]).split('\n'),
    ).toHaveLength(2);
  });
});

describe('Text from the log', () => {
  it('cannot move the cursor, clear the screen or turn its reading direction', () => {
    expect(printable('ok\u001b[31m\r\n\t\u0007\u202egnp.exe\u2066')).toBe('ok\\u{1b}[31m\\u{d}\\u{a}\\u{9}\\u{7}\\u{202e}gnp.exe\\u{2066}');
  });

  it('is otherwise left alone, in any script', () => {
    const text = 'Café ß ł 漢字 🌸 דלה قهوة';
    expect(printable(text)).toBe(text);
  });
});
