import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EventStreamParser } from './event-stream';

const parse = (...pieces: string[]) => {
  const parser = new EventStreamParser();
  return pieces.flatMap((piece) => parser.push(piece));
};

describe('An event stream', () => {
  it('hands on name, data and id of a message', () => {
    expect(parse('id: 7\nevent: RunStarted\ndata: {"a":1}\n\n')).toEqual([{ id: '7', event: 'RunStarted', data: '{"a":1}' }]);
  });

  it('joins several data lines, and takes one space after the colon away, not two', () => {
    expect(parse('data: a\ndata:b\ndata:  c\ndata\n\n')).toEqual([{ id: undefined, event: 'message', data: 'a\nb\n c\n' }]);
  });

  it('ignores comments, unknown fields, a leading byte order mark and messages without data', () => {
    expect(parse('\uFEFF: hello\nretry: 5\nfoo: bar\n\nevent: x\n\ndata: 1\n\n')).toEqual([{ id: undefined, event: 'message', data: '1' }]);
  });

  it('keeps the id for later messages, and refuses an id with a NUL', () => {
    expect(parse('id: 4\ndata: a\n\ndata: b\n\nid: 5\0\ndata: c\n\n').map(({ id }) => id)).toEqual(['4', '4', '4']);
  });

  it('drops a message that was not finished', () => {
    expect(parse('data: a\n\ndata: b\n')).toEqual([expect.objectContaining({ data: 'a' })]);
  });

  it('reads the same whatever the line ends are and wherever the pieces are cut', () => {
    const line = fc.constantFrom('data: x', 'data: é漢🌸', 'data', 'id: 12', 'event: ToolCallSucceeded', ': comment', 'data:  y', 'id');
    const block = fc.array(line, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 6 }), fc.constantFrom('\n', '\r\n', '\r'), fc.array(fc.nat(400)), (blocks, end, cuts) => {
        // A last LF, because a CR at the very end may still be half of a CRLF.
        const lines = (eol: string) => `${blocks.map((one) => one.map((text) => text + eol).join('') + eol).join('')}:\n`;
        const text = lines(end);
        const at = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
        const pieces = at.slice(1).map((to, index) => text.slice(at[index], to));
        expect(parse(...pieces)).toEqual(parse(lines('\n')));
      }),
      { numRuns: 300 },
    );
  });
});
