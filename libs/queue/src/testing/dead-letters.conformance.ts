import { expect, it } from '@jest/globals';
import type { DeadLetter } from '../dead-letter';
import { until } from './until';
import { depthOf, type World } from './world';

export const deadLetterContract = ({ opened, newQueue }: World) => {
  /** A queue whose jobs fail for as long as `broken` says so. */
  const failing = async (jobs: readonly string[]) => {
    const [world, name] = [opened(), newQueue()];
    const state = { broken: true, done: [] as string[] };
    world.queue.work(name, async ({ id, attempt }) => {
      if (state.broken) throw new Error('Broken');
      state.done.push(`${id} ${attempt}`);
    });
    const letters = async () => (await world.queue.deadLetters().list({ limit: 1_000 })).filter(({ queue }) => queue === name);
    const runOut = async () => {
      for (const pauseMs of [2_000, 4_000]) {
        await until(() => depthOf(world, name), ({ delayed, waiting, active }) => delayed > 0 && waiting + active === 0);
        await world.advance(pauseMs);
      }
      await until(() => depthOf(world, name), ({ delayed, waiting, active }) => delayed + waiting + active === 0);
    };
    for (const job of jobs) await world.queue.enqueue(name, job, { job });
    if (jobs.length > 0) await runOut();
    return { ...world, name, state, letters, runOut };
  };

  it('lists dead letters oldest first and by page, finds one, and knows no others', async () => {
    const { queue, letters } = await failing(['a', 'b', 'c']);
    const all = await queue.deadLetters().list({ limit: 1_000 });
    expect(all.map(({ failedAt }) => failedAt.getTime())).toEqual(all.map(({ failedAt }) => failedAt.getTime()).toSorted((one, other) => one - other));
    expect(await queue.deadLetters().list({ limit: 2, skip: all.length - 2 })).toEqual(all.slice(-2));
    const [one] = await letters();
    expect(await queue.deadLetters().find(one!.id)).toEqual(one);
    expect([await queue.deadLetters().find('4f1f0f3a-52f6-4b0c-9d0a-5a3c1be6a1f4'), await queue.deadLetters().find('?')]).toEqual([null, null]);
  });

  it('puts a requeued job back with its id and all its attempts, once', async () => {
    const { queue, letters, state, name, ...world } = await failing(['again']);
    const [letter] = await letters();
    state.broken = false;
    expect(await queue.deadLetters().requeue(letter!.id)).toEqual({ ok: true });
    await until(() => state.done, (done) => done.length === 1);
    expect([state.done, await letters()]).toEqual([['again 1'], []]);
    const refused = { ok: false, rejection: { kind: 'missing', code: 'NOT_FOUND' } };
    expect([await queue.deadLetters().requeue(letter!.id), await queue.deadLetters().requeue('?'), await queue.deadLetters().discard('?')]).toMatchObject([refused, refused, refused]);
    expect(await queue.enqueue(name, 'again', {})).toEqual({ ok: true, added: false });
    expect(await depthOf({ queue, ...world }, name)).toMatchObject({ waiting: 0, failed: 0 });
  });

  it('drops a discarded letter, and does not run its job again', async () => {
    const { queue, letters, name } = await failing(['never']);
    const [letter] = await letters();
    expect([await queue.deadLetters().discard(letter!.id), await letters()]).toEqual([{ ok: true }, []]);
    expect(await queue.deadLetters().discard(letter!.id)).toMatchObject({ ok: false, rejection: { code: 'NOT_FOUND' } });
    expect(await queue.enqueue(name, 'never', {})).toEqual({ ok: true, added: false });
  });

  it('tells of each dead letter, again when that failed, and anew when a requeued job fails once more', async () => {
    const world = await failing([]);
    const told: DeadLetter[] = [];
    let refuse = true;
    world.queue.onDeadLetter(async (letter) => {
      if (letter.queue !== world.name) return;
      if (refuse && letter.jobId === 'a') throw (refuse = false), new Error('Not now');
      told.push(letter);
    });
    for (const job of ['a', 'b']) await world.queue.enqueue(world.name, job, {});
    await world.runOut();
    await until(() => told.length, (count) => count === 2);
    expect([told.map(({ jobId }) => jobId).toSorted(), (await world.letters()).length]).toEqual([['a', 'b'], 2]);
    await world.queue.deadLetters().requeue((await world.letters())[0]!.id);
    await world.runOut();
    await until(() => told.length, (count) => count === 3);
    expect(new Set(told.map(({ id }) => id)).size).toBe(3);
  });
};
