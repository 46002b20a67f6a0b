import { describe, expect, it } from '@jest/globals';
import { sparingly } from './sparingly';

describe('A sentence that is repeated', () => {
  const heard = () => {
    const lines: string[] = [];
    const clock = { ms: 0 };
    return { lines, clock, tell: sparingly((line) => lines.push(line), () => clock.ms) };
  };

  it('is passed on once, and half a minute later with its number', () => {
    const { lines, clock, tell } = heard();
    for (; clock.ms < 30_000; clock.ms += 1_000) tell('Gone.');
    tell('Gone.');
    expect(lines).toEqual(['Gone.', 'Gone. (and 29 times more since the last such line)']);
  });

  it('does not hide another one', () => {
    const { lines, tell } = heard();
    for (const line of ['Gone.', 'Slow.', 'Gone.']) tell(line);
    expect(lines).toEqual(['Gone.', 'Slow.']);
  });

  it('is passed on plainly when it came only once before', () => {
    const { lines, clock, tell } = heard();
    tell('Gone.');
    clock.ms = 60_000;
    tell('Gone.');
    expect(lines).toEqual(['Gone.', 'Gone.']);
  });

  it('is forgotten when there are too many different ones to remember', () => {
    const { lines, tell } = heard();
    for (let nr = 0; nr < 101; nr++) tell(`Line ${nr}.`);
    tell('Line 0.');
    expect(lines).toHaveLength(102);
  });
});
