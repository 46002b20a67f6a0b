import { expect, it } from '@jest/globals';
import { until } from './until';
import { depthOf, type World } from './world';

export const retryContract = ({ opened, newQueue }: World) => {
  it('tries a failing job three times, with growing pauses, before it is a dead letter', async () => {
    const [world, name] = [opened(), newQueue()];
    const tried: string[] = [];
    world.queue.work(name, async ({ attempt, last }) => {
      tried.push(`${attempt}${last ? ' last' : ''}`);
      throw new Error(`Attempt ${attempt} \u0000 failed`);
    });
    await world.queue.enqueue(name, 'poison', { runId: 'run_1' });
    const pausing = () => until(() => depthOf(world, name), ({ delayed }) => delayed === 1);
    await pausing();
    expect(tried).toEqual(['1']);
    await world.advance(2_000);
    await until(() => tried.length, (count) => count === 2);
    await pausing();
    await world.advance(1_900);
    expect((await depthOf(world, name)).delayed).toBe(1);
    await world.advance(2_100);
    const { failed, delayed, waiting } = await until(() => depthOf(world, name), (depth) => depth.failed === 1);
    expect([tried, failed, delayed + waiting]).toEqual([['1', '2', '3 last'], 1, 0]);
    const letter = (await world.queue.deadLetters().list({ limit: 1_000 })).find(({ queue }) => queue === name)!;
    expect(letter).toMatchObject({ queue: name, jobId: 'poison', payload: { runId: 'run_1' }, attempts: 3, error: 'Attempt 3  failed' });
    expect(letter.failedAt.getTime()).toBeGreaterThanOrEqual(letter.enqueuedAt.getTime());
  });

  it('forgets a failure when a later attempt succeeds', async () => {
    const [world, name] = [opened(), newQueue()];
    const tried: number[] = [];
    world.queue.work(name, async ({ attempt }) => {
      tried.push(attempt);
      if (attempt === 1) throw new Error('Not yet');
    });
    await world.queue.enqueue(name, 'flaky', {});
    await until(() => depthOf(world, name), ({ delayed }) => delayed === 1);
    await world.advance(2_000);
    await until(() => tried.length, (count) => count === 2);
    expect(await until(() => depthOf(world, name), ({ active, delayed }) => active + delayed === 0)).toMatchObject({ waiting: 0, failed: 0 });
  });

  it('brings back the job of a dead process as a failed attempt, and takes no word from its old handler', async () => {
    const [world, name] = [opened(), newQueue()];
    const first = Promise.withResolvers<void>();
    const tried: number[] = [];
    world.queue.work(name, async ({ attempt }) => {
      tried.push(attempt);
      if (attempt === 1) await first.promise;
      else throw new Error(`Attempt ${attempt}`);
    }, { concurrency: 2 });
    await world.queue.enqueue(name, 'orphan', {});
    await until(() => tried.length, (count) => count === 1);
    await world.crash();
    await world.advance(2_000);
    await until(() => depthOf(world, name), ({ delayed }) => tried.length === 2 && delayed === 1);
    first.resolve();
    await world.advance(4_000);
    await until(() => depthOf(world, name), ({ failed }) => failed === 1);
    expect(tried).toEqual([1, 2, 3]);
  });

  it('ends a job that kills its process three times as a dead letter, and tells each of its handlers', async () => {
    const [world, name] = [opened(), newQueue()];
    const signals: AbortSignal[] = [];
    world.queue.work(name, ({ signal }) => (signals.push(signal), new Promise((resolve) => signal.addEventListener('abort', () => resolve()))), { concurrency: 3 });
    await world.queue.enqueue(name, 'killer', {});
    for (const [n, pauseMs] of [2_000, 4_000, 0].entries()) {
      await until(() => signals.length, (count) => count === n + 1);
      await world.crash();
      await world.advance(pauseMs);
    }
    await until(() => depthOf(world, name), ({ failed }) => failed === 1);
    await until(() => signals.map(({ aborted }) => aborted), (aborted) => aborted.every(Boolean));
    expect([signals.length, (await world.queue.deadLetters().list({ limit: 1_000 })).find(({ queue }) => queue === name)]).toMatchObject([3, { attempts: 3, error: 'job heartbeat timeout' }]);
  });
};
