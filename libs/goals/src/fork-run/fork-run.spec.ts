import { describe, expect, it } from '@jest/globals';
import type { OpenedRun, RunEvent } from '@app/runs/contract';
import { authorised, envelope, fold, parked, started, succeeded } from '@app/runs/testing';
import { looserThan } from './fork-run.policy';
import { callsBefore } from './history.policy';

const before = (events: readonly RunEvent[], at: string) => callsBefore(fold(...events) as OpenedRun, events, at);
const done = (callId: string): RunEvent[] => [authorised(callId), succeeded(callId)];

describe('The history that a fork begins with', () => {
  it('[RUN-040] is the calls before the fork, in the order in which they were asked for, whenever they ended', () => {
    const events = [...started(), authorised('a'), authorised('b'), succeeded('b'), succeeded('a'), ...done('c')];
    expect([before(events, 'a'), before(events, 'b'), before(events, 'c'), before(events, 'd')]).toEqual([[], ['a'], ['a', 'b'], undefined]);
  });

  it('leaves out what has no final answer', () => {
    const events = [...started(), ...done('a'), ...parked('b', 'appr_1'), authorised('c'), ...done('d')];
    expect(before(events, 'd')).toEqual(['a']);
  });

  it('begins with what the run itself inherited', () => {
    const forked: RunEvent = { type: 'RunForked', data: { forkOf: 'run_0', atCallId: 'c', inherited: ['a', 'b'] } };
    const events = [...started(), forked, ...done('c'), ...done('d')];
    expect([before(events, 'b'), before(events, 'd')]).toEqual([['a'], ['a', 'b', 'c']]);
  });
});

describe('The bounds of a fork', () => {
  const bounded = fold({ type: 'RunStarted', data: { runId: 'run_1', goalId: 'goal_1', agentName: 'tester', kind: 'external' } }, {
    type: 'EnvelopeSealed', data: { envelope: envelope({ autonomyCap: 2, approvalPolicy: 'before_commit' }) },
  }) as OpenedRun;
  const free = fold(...started()) as OpenedRun;

  it.each([[{}, true], [{ autonomyCap: 2 }, true], [{ autonomyCap: 0 }, true], [{ autonomyCap: 3 }, false], [{ approvalPolicy: 'none' }, false], [{ approvalPolicy: 'before_execute' }, true]] as const)(
    'can be made tighter than those of its run, never looser: %j', (overrides, allowed) => {
      expect(looserThan(bounded, overrides) === undefined).toBe(allowed);
      expect(looserThan(free, overrides)).toBeUndefined();
    },
  );

});
