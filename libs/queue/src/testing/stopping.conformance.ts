import { expect, it } from '@jest/globals';
import { queue as queueOf } from '../queues';
import { until } from './until';
import { depthOf, type World } from './world';

export const stopContract = ({ open }: World) => {
  it('waits for a running handler when it stops, and takes no further job', async () => {
    const world = await open([queueOf('stopping')]);
    const gate = Promise.withResolvers<void>();
    let [started, ended] = [0, 0];
    for (const id of ['one', 'two']) await world.queue.enqueue('stopping', id, {});
    world.queue.work('stopping', async () => (started++, await gate.promise, void ended++));
    await until(() => started, (count) => count === 1);
    const stopped = world.queue.stop();
    gate.resolve();
    await stopped;
    expect([started, ended]).toEqual([1, 1]);
    expect(() => world.queue.work('stopping', async () => undefined)).toThrow('The queue is stopped.');
    await world.close();
  });

  it('aborts what is not done at the deadline and gives it back as if it had not begun, whether its handler listens or not', async () => {
    const world = await open([queueOf('stopping')]);
    const signals: AbortSignal[] = [];
    for (const id of ['listens', 'is-deaf']) await world.queue.enqueue('stopping', id, {});
    world.queue.work('stopping', ({ id, signal }) => {
      signals.push(signal);
      return new Promise<void>((_, fail) => id === 'listens' && signal.addEventListener('abort', () => fail(new Error('Aborted'))));
    }, { concurrency: 2 });
    await until(() => signals.length, (count) => count === 2);
    await world.queue.stop(20);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(await depthOf(world, 'stopping')).toEqual({ queue: 'stopping', waiting: 2, active: 0, delayed: 0, failed: 0 });
    await world.close();
  });
};
