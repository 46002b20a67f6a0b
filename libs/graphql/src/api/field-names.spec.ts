import { describe, expect, it } from '@jest/globals';
import { fieldName, fieldNames, singular } from './field-names';
import type { Operation } from './operations';

const read = (path: string, kind: 'page' | 'all' | 'one') => ({ method: 'GET', path, answer: { kind, data: {} } }) as unknown as Operation;

describe('The name of a read', () => {
  it.each([
    ['/api/v1/agent/goals', 'page', 'goals'],
    ['/api/v1/agent/goals/{goalId}', 'one', 'goal'],
    ['/api/v1/agent/runs/{runId}/events', 'page', 'runEvents'],
    ['/api/v1/items/{collection}', 'page', 'items'],
    ['/api/v1/items/{collection}/{id}', 'one', 'item'],
    ['/api/v1/items/{collection}/{id}/versions/{version}/compare', 'one', 'itemVersionCompare'],
    ['/api/v1/ops/dead-letters', 'page', 'opsDeadLetters'],
    ['/api/v1/agent/policies', 'one', 'policies'],
  ] as const)('%s, %s: %s', (path, kind, name) => {
    expect(fieldName(read(path, kind), ['agent'])).toBe(name);
  });

  it('is another one where one record would be called like its list', () => {
    const names = fieldNames([read('/api/v1/agent/memory/{id}', 'one'), read('/api/v1/agent/memory', 'page')], ['agent']);
    expect([...names].map(([name, { path }]) => [name, path])).toEqual([['memory', '/api/v1/agent/memory'], ['memoryById', '/api/v1/agent/memory/{id}']]);
  });

  it('is nobody else’s', () => {
    expect(() => fieldNames([read('/a-b', 'page'), read('/a/b', 'page')], [])).toThrow('/a/b and /a-b would both be aB');
  });

  it('takes words as English has them', () => {
    expect(['goals', 'policies', 'staged', 'access', 'constitution'].map(singular)).toEqual(['goal', 'policy', 'staged', 'access', 'constitution']);
  });
});
