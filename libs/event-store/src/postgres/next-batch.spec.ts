import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PreparedCommand } from '../prepare';
import { nextBatch } from './next-batch';

type Entry = { readonly name: string; readonly command: PreparedCommand };

const entry = (name: string, writes: readonly string[], guards: readonly string[] = [], key: string | null = null, bytes = 1): Entry => ({
  name,
  command: {
    siteId: 's', occurredMs: 0, occurredAt: '', metadata: '{}', key, bytes,
    writes: writes.map((streamId) => ({ streamId, expected: 'any', events: [] })), guards: guards.map((streamId) => ({ streamId, version: 0 })),
  },
});
const split = (queue: readonly Entry[], cap = 100, maxBytes?: number) => {
  const { batch, rest } = nextBatch(queue, cap, maxBytes);
  return [batch.map(({ name }) => name).join(''), rest.map(({ name }) => name).join('')];
};

describe('the next batch', () => {
  it('takes commands in order up to its cap', () => {
    expect(split([entry('a', ['1']), entry('b', ['2']), entry('c', ['3'])], 2)).toEqual(['ab', 'c']);
  });

  it('writes each stream once', () => {
    expect(split([entry('a', ['1']), entry('b', ['1']), entry('c', ['2'])])).toEqual(['ac', 'b']);
  });

  it('lets nobody overtake on a stream that somebody waits for', () => {
    expect(split([entry('a', ['1']), entry('b', ['1', '2']), entry('c', ['2']), entry('d', ['3'])])).toEqual(['ad', 'bc']);
  });

  it('judges a guard only on a stream that no earlier command of the batch writes', () => {
    expect(split([entry('a', ['1']), entry('b', ['2'], ['1'])])).toEqual(['a', 'b']);
    expect(split([entry('a', ['1'], ['2']), entry('b', ['2'])])).toEqual(['ab', '']);
  });

  it('takes a command id once', () => {
    expect(split([entry('a', ['1'], [], 'k'), entry('b', ['2'], [], 'k'), entry('c', ['3'], [], 'l')])).toEqual(['ac', 'b']);
  });

  it('ends at its size, but always takes the first', () => {
    expect(split([entry('a', ['1'], [], null, 60), entry('b', ['2'], [], null, 60), entry('c', ['3'])], 100, 100)).toEqual(['a', 'bc']);
    expect(split([entry('a', ['1'], [], null, 600), entry('b', ['2'])], 100, 100)).toEqual(['a', 'b']);
  });

  it('keeps every command, keeps their order per stream, and always gets on', () => {
    const ids = fc.uniqueArray(fc.constantFrom('1', '2', '3'), { maxLength: 2 });
    const command = fc.tuple(fc.uniqueArray(fc.constantFrom('1', '2', '3', '4'), { minLength: 1, maxLength: 2 }), ids, fc.option(fc.constantFrom('k', 'l')));
    fc.assert(
      fc.property(fc.array(command, { minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 5 }), (commands, cap) => {
        let queue = commands.map(([writes, guards, key], i) => entry(`${i}`, writes, guards, key));
        const order: string[] = [];
        while (queue.length > 0) {
          const { batch, rest } = nextBatch(queue, cap);
          expect(batch[0]).toBe(queue[0]);
          expect(batch.length + rest.length).toBe(queue.length);
          order.push(...batch.map(({ name }) => name));
          queue = rest;
        }
        for (const stream of ['1', '2', '3', '4'] as const) {
          const writers = order.filter((name) => commands[+name]![0].includes(stream));
          expect(writers).toEqual(writers.toSorted((a, b) => +a - +b));
        }
      }),
    );
  });
});
