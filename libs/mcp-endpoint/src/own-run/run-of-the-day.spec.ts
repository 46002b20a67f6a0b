import { describe, expect, it } from '@jest/globals';
import { idFor } from '@app/event-store';
import { agentNameOf, openingOf } from './run-of-the-day.policy';

describe('The runs of a key', () => {
  const noon = new Date('2030-01-01T12:00:00.000Z');
  const runOf = (siteId: string, key: string, now: Date, nr: number) => idFor('run', openingOf(siteId, key, now, nr));

  it('have ids that follow from site, key, day and number, and sort by the day', () => {
    const run = runOf('site_a', 'key_1', noon, 0);
    expect([run, runOf('site_a', 'key_1', new Date('2030-01-01T23:59:59.999Z'), 0)]).toEqual([expect.stringMatching(/^run_[0-9a-f]{32}$/), run]);
    const others = [runOf('site_b', 'key_1', noon, 0), runOf('site_a', 'key_2', noon, 0), runOf('site_a', 'key_1', noon, 1), runOf('site_a', 'key_1', new Date('2030-01-02T00:00:00.000Z'), 0)];
    expect(new Set([run, ...others]).size).toBe(5);
    expect(others.at(-1)! > run).toBe(true);
  });

  it.each([['robot', 'robot'], ['a <b> 🤖', 'a -b- -'], ['🤖', '-'], ['   ', 'mcp'], ['x'.repeat(200), 'x'.repeat(100)]])('are of an agent with a name that agents may have: %j', (given, name) => {
    expect(agentNameOf(given)).toBe(name);
  });
});
