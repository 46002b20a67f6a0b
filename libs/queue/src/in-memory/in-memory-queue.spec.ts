import { describe, expect, it } from '@jest/globals';
import { AGENT_RUNS } from '../queues';
import { queueContract } from '../testing/queue.conformance';
import { InMemoryQueue } from './in-memory-queue';

const START = Date.parse('2030-01-01T10:20:00.000Z');

queueContract('in memory', (queues) => {
  let ms = START;
  const now = () => new Date(ms);
  const queue = new InMemoryQueue({ queues, now });
  const advance = async (by: number) => void (ms += by);
  return Promise.resolve({ queue, now, advance, crash: async () => queue.loseHeld(), close: () => queue.stop(0) });
});

describe('The queue in memory', () => {
  it('says when nothing is left to do', async () => {
    let ms = START;
    const queue = new InMemoryQueue({ now: () => new Date(ms) });
    const tried: number[] = [];
    queue.work(AGENT_RUNS, async ({ attempt }) => {
      tried.push(attempt);
      if (attempt < 3) throw new Error('Again');
    });
    await queue.enqueue(AGENT_RUNS, 'run_1', {});
    await queue.idle();
    for (const pauseMs of [1_000, 2_000]) {
      ms += pauseMs;
      await queue.idle();
    }
    expect(tried).toEqual([1, 2, 3]);
    await queue.stop();
  });

  it('fails an attempt whose time is up', async () => {
    let ms = START;
    const queue = new InMemoryQueue({ now: () => new Date(ms) });
    const aborted = Promise.withResolvers<void>();
    queue.work(AGENT_RUNS, ({ signal, attempt }) => (attempt > 1 ? Promise.resolve() : new Promise((resolve) => signal.addEventListener('abort', () => (aborted.resolve(), resolve())))), { concurrency: 2 });
    await queue.enqueue(AGENT_RUNS, 'run_1', {});
    await new Promise((turn) => setTimeout(turn, 20));
    ms += 3_600_001;
    await aborted.promise;
    await queue.stop();
  });
});
