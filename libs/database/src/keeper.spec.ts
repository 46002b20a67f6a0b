import { describe, expect, it } from '@jest/globals';
import { keepRunning } from './keeper';

/** A database that is down, and whose starts end as told; after them it runs. */
const ended = (...starts: (Error | 'ok')[]) => {
  const told: string[] = [];
  let running = false;
  let all: () => void;
  const started = new Promise<void>((settle) => (all = settle));
  const database = {
    isRunning: () => running,
    start: () => {
      const outcome = starts.shift()!;
      running = outcome === 'ok';
      if (starts.length === 0) all();
      return outcome === 'ok' ? Promise.resolve() : Promise.reject(outcome);
    },
  };
  return { told, started, stop: keepRunning(database, '/data', (sentence) => told.push(sentence), { lookMs: 1, retryMs: 1 }) };
};

describe('The keeper of a database', () => {
  it('starts it again and says so', async () => {
    const { told, started, stop } = ended('ok');
    await started;
    await stop();
    expect(told).toEqual(['The database in /data has ended. Starting it again.', 'The database in /data runs again.']);
  });

  it('tries again after a start that failed, with the reason told', async () => {
    const { told, started, stop } = ended(new Error('No space left'), 'ok');
    await started;
    await stop();
    expect(told[1]).toBe('The database in /data could not be started again; another attempt follows. No space left');
    expect(told.at(-1)).toBe('The database in /data runs again.');
  });

  it('does nothing after its end', async () => {
    const { told, stop } = ended('ok');
    await stop();
    expect(told).toEqual([]);
  });
});
