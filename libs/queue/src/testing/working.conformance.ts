import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MOST_PAYLOAD_BYTES, type Job } from '../job';
import { until } from './until';
import { depthOf, type World } from './world';

export const workContract = ({ opened, newQueue }: World) => {
  it('hands each job to a handler once, with its id and payload as they were', async () => {
    const [{ queue }, name] = [opened(), newQueue()];
    const payloads = [{ runId: 'run_1' }, 'text \u0000 \ud800 €', null, [1, { deep: [true] }], 0];
    for (const [n, payload] of payloads.entries()) expect(await queue.enqueue(name, `job-${n}`, payload)).toEqual({ ok: true, added: true });
    const seen: Job[] = [];
    queue.work(name, async (job) => void seen.push(job));
    await until(() => seen.length, (count) => count === payloads.length);
    expect(Object.fromEntries(seen.map(({ id, payload }) => [id, payload]))).toEqual(Object.fromEntries(payloads.map((payload, n) => [`job-${n}`, payload])));
    expect(seen.map(({ queue: of, attempt, last, signal }) => [of, attempt, last, signal.aborted])).toEqual(payloads.map(() => [name, 1, false, false]));
    await until(() => depthOf(opened(), name), ({ active, waiting }) => active + waiting === 0);
  });

  it('adds no second job for an id: not while the first waits, runs or has ended; another queue has ids of its own', async () => {
    const [{ queue }, name, other] = [opened(), newQueue(), newQueue()];
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    let runs = 0;
    const add = () => queue.enqueue(name, 'same', {});
    expect(await Promise.all([add(), add(), add()]).then((all) => all.filter((each) => each.ok && each.added).length)).toBe(1);
    queue.work(name, async () => (runs++, held));
    await until(() => runs, (count) => count === 1);
    expect(await add()).toEqual({ ok: true, added: false });
    release();
    await until(() => depthOf(opened(), name), ({ active }) => active === 0);
    expect([await add(), await queue.enqueue(other, 'same', {}), runs]).toEqual([{ ok: true, added: false }, { ok: true, added: true }, 1]);
  });

  it('Property: however often and in whatever order ids are enqueued, each is worked on exactly once', async () => {
    const [{ queue }, name] = [opened(), newQueue()];
    const runs = new Map<string, number>();
    queue.work(name, async ({ id }) => void runs.set(id, (runs.get(id) ?? 0) + 1), { concurrency: 8 });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 8 }), async (ids) => {
        const [prefix, wanted] = [`r${round++}-`, new Set(ids)];
        const answers = await Promise.all(ids.map((id) => queue.enqueue(name, `${prefix}${id}`, {})));
        expect(answers.filter((each) => each.ok && each.added)).toHaveLength(wanted.size);
        await until(() => [...wanted].map((id) => runs.get(`${prefix}${id}`)), (counts) => counts.every((count) => count !== undefined));
      }),
      { numRuns: 100 },
    );
    await until(() => depthOf(opened(), name), ({ active, waiting }) => active + waiting === 0);
    expect([...runs.values()].every((count) => count === 1)).toBe(true);
  });

  it('runs as many at a time as it is told, and no more', async () => {
    const [{ queue }, name] = [opened(), newQueue()];
    const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
    let [running, most, started] = [0, 0, 0];
    for (const n of gates.keys()) await queue.enqueue(name, `job-${n}`, n);
    queue.work(name, async () => {
      const gate = gates[started++]!;
      most = Math.max(most, ++running);
      await gate.promise;
      running--;
    }, { concurrency: 2 });
    await until(() => started, (count) => count === 2);
    expect(await depthOf(opened(), name)).toEqual({ queue: name, waiting: 3, active: 2, delayed: 0, failed: 0 });
    for (const { resolve } of gates) resolve();
    await until(() => depthOf(opened(), name), ({ active, waiting }) => active + waiting === 0);
    expect([most, started]).toEqual([2, 5]);
  });

  it('starts a job not before its time', async () => {
    const [world, name] = [opened(), newQueue()];
    let runs = 0;
    world.queue.work(name, async () => void runs++);
    await world.queue.enqueue(name, 'later', {}, { notBefore: new Date(world.now().getTime() + 3_600_000) });
    await world.queue.enqueue(name, 'now', {});
    await until(() => depthOf(world, name), ({ active, waiting }) => active + waiting === 0);
    expect([runs, (await depthOf(world, name)).delayed]).toEqual([1, 1]);
    await world.advance(3_601_000);
    await until(() => runs, (count) => count === 2);
  });

  it('refuses what cannot be a job, and a queue that nobody declared', async () => {
    const [{ queue }, name] = [opened(), newQueue()];
    const codeOf = async (id: string, payload: unknown) => {
      const answer = await queue.enqueue(name, id, payload);
      return answer.ok ? 'ok' : answer.rejection.code;
    };
    const most = 'x'.repeat(MOST_PAYLOAD_BYTES - 2);
    expect([await codeOf('most', most), await codeOf('more', `${most}x`), await codeOf('', 1), await codeOf('a b', 1), await codeOf('f', () => 1)]).toEqual([
      'ok', 'PAYLOAD_TOO_LARGE', 'VALIDATION_FAILED', 'VALIDATION_FAILED', 'VALIDATION_FAILED',
    ]);
    await expect(queue.enqueue('nobody', 'id', 1)).rejects.toThrow('There is no queue nobody.');
    expect(() => queue.work('nobody', async () => undefined)).toThrow('There is no queue nobody.');
    queue.work(name, async () => undefined);
    expect(() => queue.work(name, async () => undefined)).toThrow(`This process works on ${name} already.`);
  });
};
