import { describe, expect, it } from '@jest/globals';
import { withoutSealed } from './sealed-fields.policy';

describe('Event data on its way to the broker', () => {
  it('keeps its shape and loses what is sealed in the log', () => {
    const data = { tool: 'pay', arguments: { iban: 'DE1' }, reason: 'why', task: { skillName: 'pay', arguments: { a: 1 } }, tags: ['a'] };
    expect(withoutSealed(data, { arguments: 'json', reason: 'text', 'task.arguments': 'json', tags: 'list' })).toEqual({
      data: { tool: 'pay', arguments: { sealed: true }, reason: '[sealed]', task: { skillName: 'pay', arguments: { sealed: true } }, tags: [] },
      sealed: ['arguments', 'reason', 'task.arguments', 'tags'],
    });
    expect(data.arguments).toEqual({ iban: 'DE1' });
  });

  it('is left as it is when nothing of it is sealed', () => {
    const data = { tool: 'pay', task: null, tags: [] };
    expect(withoutSealed(data, { arguments: 'json', 'task.arguments': 'json', tags: 'list' })).toEqual({ data, sealed: [] });
    expect(withoutSealed(data).data).toBe(data);
  });
});
