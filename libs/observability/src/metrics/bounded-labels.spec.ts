import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BoundedLabels, MAX_VALUES, OTHER } from './bounded-labels';

describe('Label values', () => {
  it('are kept as they are up to a cap, and counted together beyond it', () => {
    const labels = new BoundedLabels([{ label: 'tool', value: 'known' }], 3);
    expect(['a', 'b', 'c', 'a', 'known'].map((name) => labels.bound('tool', name))).toEqual(['a', 'b', OTHER, 'a', 'known']);
    expect(labels.bound('agent', 'c')).toBe('c');
    expect(labels.admitted).toEqual([{ label: 'tool', value: 'a' }, { label: 'tool', value: 'b' }, { label: 'agent', value: 'c' }]);
  });

  it('never exceed the cap by more than the one that stands for the rest, whatever names come in', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 150 }), { maxLength: 300 }), (names) => {
        const labels = new BoundedLabels([]);
        const shown = new Set(names.map((name) => labels.bound('tool', name)));
        return shown.size <= MAX_VALUES + 1 && [...shown].every((value) => value.length <= 100 && value.isWellFormed());
      }),
      { numRuns: 200 },
    );
  });
});
