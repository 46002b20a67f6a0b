import { describe, expect, it } from '@jest/globals';
import type { ProblemException } from './problem';
import { etagOf, ifMatchOf, lastEventIdOf, minPositionOf } from './parameters';

const pointerOf = (read: () => unknown) => {
  try {
    return read();
  } catch (error) {
    const { problem } = error as ProblemException;
    return [problem.status, (problem.facts as { errors: { pointer: string }[] }).errors[0]!.pointer];
  }
};

describe('minPosition', () => {
  it('comes from the query or the header, the later one of both', () => {
    expect(minPositionOf({ headers: {}, query: {} })).toBeUndefined();
    expect(minPositionOf({ headers: {}, query: { minPosition: '7' } })).toBe(7n);
    expect(minPositionOf({ headers: { 'x-min-position': '9007199254740993' }, query: {} })).toBe(9007199254740993n);
    expect(minPositionOf({ headers: { 'x-min-position': '8' }, query: { minPosition: '7' } })).toBe(8n);
    expect(minPositionOf({ headers: { 'x-min-position': '6' }, query: { minPosition: '7' } })).toBe(7n);
  });

  it.each(['', 'a', '-1', '1.0', '0x1', ' 1', '01', '9223372036854775808', ['1', '2']])('refuses %p', (minPosition) => {
    expect(pointerOf(() => minPositionOf({ headers: {}, query: { minPosition } }))).toEqual([422, '/minPosition']);
    if (typeof minPosition === 'string') expect(pointerOf(() => minPositionOf({ headers: { 'x-min-position': minPosition }, query: {} }))).toEqual([422, '/X-Min-Position']);
  });
});

describe('An entity tag', () => {
  it('is the stream version, there and back', () => {
    expect(etagOf(7)).toBe('"7"');
    expect(ifMatchOf({ headers: { 'if-match': etagOf(7) } })).toBe(7);
    expect(ifMatchOf({ headers: {} })).toBeUndefined();
    expect(ifMatchOf({ headers: { 'if-match': '*' } })).toBeUndefined();
  });

  it.each(['7', 'W/"7"', '"7", "8"', '"x"', '"-1"', '"07"', '', '"1e3"', '"12345678901234567890"'])('is refused when malformed: %s', (tag) => {
    expect(pointerOf(() => ifMatchOf({ headers: { 'if-match': tag } }))).toEqual([422, '/If-Match']);
  });
});

it('Last-Event-ID is a position', () => {
  expect(lastEventIdOf({ headers: { 'last-event-id': '12' } })).toBe(12n);
  expect(lastEventIdOf({ headers: {} })).toBeUndefined();
  expect(pointerOf(() => lastEventIdOf({ headers: { 'last-event-id': 'x' } }))).toEqual([422, '/Last-Event-ID']);
});
