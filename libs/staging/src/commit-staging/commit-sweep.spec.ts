import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { InMemoryEventStore } from '@app/event-store';
import { InMemoryReadModels, type AnyProjection } from '@app/projections';
import { stagings } from '../staged-list/stagings.projection';
import { at, catalogue, logOf, processOn, SITE, STAGING, stagedWorld, WINDOW_MS } from '../testing/veto-world';
import { CommitSweep } from './commit-sweep';
import { dueCommit } from './due-commits';
import { StagingCommitter } from './staging-committer';

const DEADLINE = WINDOW_MS / 60_000;

const world = async (minute: () => number) => {
  const store = new InMemoryEventStore({ catalogue });
  await stagedWorld(store, { title: 'new' }, { title: 'old' });
  const reads = new InMemoryReadModels([stagings as unknown as AnyProjection]);
  const follow = async () => reads.apply(await logOf(store));
  await follow();
  const commit = dueCommit(new StagingCommitter(store, processOn(store).executor));
  const failures: unknown[] = [];
  const sweep = new CommitSweep({ reads, sites: () => Promise.resolve([SITE]), commit, now: () => at(minute()), onError: (error) => failures.push(error) });
  return { sweep, failures, ends: async () => (await logOf(store)).filter(({ streamId }) => streamId === `staging-${STAGING}`).map(({ type }) => type) };
};

describe('The sweep', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('[VETO-007] commits what is due and whose deadline was lost, every five minutes, and nothing that is not due', async () => {
    jest.useFakeTimers({ now: at(0), doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
    const { sweep, failures, ends } = await world(() => (Date.now() - at(0).getTime()) / 60_000);
    sweep.start();
    await jest.advanceTimersByTimeAsync((DEADLINE - 1) * 60_000);
    expect(await ends()).toEqual(['ChangeStaged']);
    await jest.advanceTimersByTimeAsync(5 * 60_000);
    await sweep.stop();
    expect([await ends(), failures]).toEqual([['ChangeStaged', 'StagingCommitted'], []]);
  });

  it('tries nothing before its time, and once at it', async () => {
    let minute = DEADLINE - 0.01;
    const { sweep, ends } = await world(() => minute);
    expect(await sweep.sweep()).toBe(0);
    minute = DEADLINE;
    expect([await sweep.sweep(), await ends()]).toEqual([1, ['ChangeStaged', 'StagingCommitted']]);
  });
});
