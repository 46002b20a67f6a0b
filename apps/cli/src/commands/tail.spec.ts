import { afterEach, describe, expect, it } from '@jest/globals';
import { message, streams } from '@app/sdk/testing';
import { against, closeServer, served } from '../testing/run-harness';

afterEach(closeServer);

describe('harness tail', () => {
  const event = (position: string) =>
    message(position, { position, type: 'GoalCreated', streamId: 'goal-1', occurredAt: 't', actor: { kind: 'human', id: 'k' }, data: {} });

  it('prints one JSON document a line, starts where it is told, and exits 0 when it is stopped', async () => {
    const stop = new AbortController();
    const line = 'tail --json --from 5 --type GoalCreated,GoalSettled';
    const { code, out } = await against([streams([event('5'), event('6')])], line, {
      stop,
      onOut: (soFar) => soFar.includes('"6"') && stop.abort(),
    });
    expect(code).toBe(0);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { position: string }).position),
    ).toEqual(['5', '6']);
    expect(served().seen[0]).toMatchObject({
      path: '/api/v1/audit/stream?type=GoalCreated%2CGoalSettled',
      headers: { 'last-event-id': '4' },
    });
  });
});
