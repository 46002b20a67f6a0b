import { accept, Catalogue, eventFamily, reject, type Aggregate, type Event } from '@app/kernel';
import { context } from '@app/kernel/testing';
import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { Executor, type ExecutorObserver } from './executor';
import { InMemoryEventStore } from './in-memory.event-store';
import { Snapshots, type Snapshot } from './snapshots';
import { States } from './states';

const counterEvents = eventFamily('counter', { Counted: z.strictObject({ by: z.int() }) });
const limitEvents = eventFamily('limit', { Limited: z.strictObject({ to: z.int() }) });
type Counted = Event<'Counted', { by: number }>;
type Limited = Event<'Limited', { to: number }>;
const counter: Aggregate<number, Counted> = { category: 'counter', stateVersion: 1, initial: 0, evolve: (n, { data }) => n + data.by };
const limit: Aggregate<number, Limited> = { category: 'limit', stateVersion: 1, initial: Number.MAX_SAFE_INTEGER, evolve: (_n, { data }) => data.to };

const counted = (by: number): Counted => ({ type: 'Counted', data: { by } });
const limited = (to: number): Limited => ({ type: 'Limited', data: { to } });
const newStore = () => new InMemoryEventStore({ catalogue: new Catalogue(counterEvents, limitEvents) });
const started = () => {
  const store = newStore();
  return { store, executor: new Executor(store, new States(store)) };
};
const refs = { counter: { aggregate: counter, id: '1' }, limit: { aggregate: limit, id: 'a', guard: true } } as const;
const addOne = ({ counter: n, limit: most }: { counter: number; limit: number }) =>
  n < most ? accept({ counter: [counted(1)] }) : reject('conflict', 'CONFLICT', 'The limit is reached.');

let command = 0;
const next = () => context({ commandId: `command-${++command}` });

describe('Executing a command', () => {
  it('decides again when another writer moved the stream', async () => {
    const { store, executor } = started();
    await executor.execute(refs, next(), addOne);
    await store.append([{ streamId: 'counter-1', expected: 1, events: [counted(5)] }], [], next());
    const seen: number[] = [];
    const done = await executor.execute(refs, next(), (states) => {
      seen.push(states.counter);
      return addOne(states);
    });
    expect(seen).toEqual([1, 6]);
    expect(done).toMatchObject({ ok: true, states: { counter: 7 }, versions: { counter: 3 } });
  });

  it('decides again when a guarded stream moved, so that nothing is written under old rules', async () => {
    const { store, executor } = started();
    await executor.execute(refs, next(), addOne);
    await store.append([{ streamId: 'limit-a', expected: 'none', events: [limited(1)] }], [], next());
    expect(await executor.execute(refs, next(), addOne)).toMatchObject({ ok: false, rejection: { code: 'CONFLICT' } });
    expect((await executor.current(counter, '1')).state).toBe(1);
  });

  it('shows each decision to an observer, and which guarded stream made it be taken again', async () => {
    const store = newStore();
    const moved: string[] = [];
    const seen: unknown[] = [];
    const observer: ExecutorObserver = {
      guardMoved: (streamId) => moved.push(streamId),
      decision: async (streamIds, asked, decide) => {
        const done = await decide({ ...asked, traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` });
        seen.push([streamIds, done.ok]);
        return done;
      },
    };
    const executor = new Executor(store, new States(store), { observer });
    await executor.execute(refs, next(), addOne);
    await store.append([{ streamId: 'counter-1', expected: 1, events: [counted(1)] }], [], next());
    await executor.execute(refs, next(), addOne);
    expect(moved).toEqual([]);
    await store.append([{ streamId: 'limit-a', expected: 'none', events: [limited(1)] }], [], next());
    await executor.execute(refs, next(), addOne);
    expect(moved).toEqual(['limit-a']);
    expect(seen).toEqual([[['counter-1'], true], [['counter-1'], true], [['counter-1'], false]]);
    const traced = [];
    for await (const { metadata } of store.read('counter-1')) traced.push(metadata.traceparent?.slice(0, 5));
    expect(traced).toEqual(['00-aa', undefined, '00-aa']);
  });

  it('never refuses on a state that is out of date', async () => {
    const { store, executor } = started();
    await store.append([{ streamId: 'limit-a', expected: 'none', events: [limited(0)] }], [], next());
    expect(await executor.execute(refs, next(), addOne)).toMatchObject({ ok: false });
    await store.append([{ streamId: 'limit-a', expected: 1, events: [limited(9)] }], [], next());
    expect(await executor.execute(refs, next(), addOne)).toMatchObject({ ok: true });
  });

  it('lets sixty commands for one stream all succeed', async () => {
    const { executor } = started();
    const all = await Promise.all(Array.from({ length: 60 }, () => executor.execute(refs, next(), addOne)));
    expect(all.every(({ ok }) => ok)).toBe(true);
    expect((await executor.current(counter, '1')).state).toBe(60);
  });

  it('gives up with a conflict when the deadline passes', async () => {
    const store = newStore();
    let now = 0;
    const executor = new Executor(store, new States(store), { deadlineMs: 100, monotonicMs: () => now });
    const done = executor.execute(refs, next(), (states) => {
      now += 60;
      void store.append([{ streamId: 'counter-1', expected: 'any', events: [counted(1)] }], [], next());
      return addOne(states);
    });
    expect(await done).toMatchObject({ ok: false, rejection: { code: 'CONFLICT' } });
  });

  it('writes once for a repeated command, and says so by reporting no events of its own', async () => {
    const { store, executor } = started();
    const same = { ...next(), repeatable: true };
    const first = await executor.execute(refs, same, addOne);
    const again = await new Executor(store, new States(store)).execute(refs, same, addOne);
    expect([first, again]).toMatchObject([{ ok: true, events: { counter: [counted(1)] } }, { ok: true, events: {}, states: { counter: 1 } }]);
  });
});

describe('A stream whose id was just made', () => {
  const fresh = { counter: { aggregate: counter, id: '1', fresh: true } } as const;
  const create = ({ counter: n }: { counter: number }) => (n === 0 ? accept({ counter: [counted(1)] }) : reject('conflict', 'CONFLICT', 'It is there.'));
  const watched = () => {
    const store = newStore();
    const read = jest.spyOn(store, 'read');
    return { store, read, executor: new Executor(store, new States(store)) };
  };

  it('is not read before the decision, nor after it', async () => {
    const { read, executor } = watched();
    expect(await executor.execute(fresh, next(), create)).toMatchObject({ ok: true, states: { counter: 1 }, versions: { counter: 1 } });
    expect((await executor.current(counter, '1')).state).toBe(1);
    expect(read).not.toHaveBeenCalled();
  });

  it('is decided on as it is when it exists after all', async () => {
    const { store, read, executor } = watched();
    await store.append([{ streamId: 'counter-1', expected: 'none', events: [counted(5)] }], [], next());
    const seen: number[] = [];
    const done = await executor.execute(fresh, next(), (states) => {
      seen.push(states.counter);
      return create(states);
    });
    expect([seen, done]).toMatchObject([[0, 5], { ok: false, rejection: { code: 'CONFLICT' } }]);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('has what the first attempt of a repeated command made', async () => {
    const { store, executor } = watched();
    const once = { ...next(), repeatable: true };
    const first = await executor.execute(fresh, once, create);
    await executor.execute(refs, next(), addOne);
    for (const again of [executor, new Executor(store, new States(store))]) {
      expect(await again.execute(fresh, once, create)).toMatchObject({ ok: true, position: first.ok && first.position, states: { counter: 2 }, events: {} });
    }
  });
});

describe('Repeating a command', () => {
  it('answers what it did, although the state it left would refuse it now', async () => {
    const { executor } = started();
    const once = { ...next(), repeatable: true };
    const decide = ({ counter: n }: { counter: number }) => (n === 0 ? accept({ counter: [counted(1)] }) : reject('conflict', 'CONFLICT', 'Only once.'));
    const first = await executor.execute(refs, once, decide);
    expect(await executor.execute(refs, once, decide)).toMatchObject({ ok: true, position: first.ok && first.position, states: { counter: 1 }, events: {} });
    expect(await executor.execute(refs, { ...next(), repeatable: true }, decide)).toMatchObject({ ok: false });
  });
});

class KeptSnapshots extends Snapshots {
  readonly kept = new Map<string, Snapshot>();
  override load = (streamId: string) => Promise.resolve(this.kept.get(streamId) ?? null);
  override save = (streamId: string, _stateVersion: number, snapshot: Snapshot) => Promise.resolve(void this.kept.set(streamId, snapshot));
}

describe('Snapshots', () => {
  it('[LOG-014] (L4) folding all events equals folding a snapshot and the tail', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 30 }), fc.nat(), async (steps, cut) => {
        const store = newStore();
        const at = cut % (steps.length + 1);
        await store.append([{ streamId: 'counter-1', expected: 'none', events: steps.map(counted) }], [], next());
        const whole = await new States(store).refresh(counter, '1');
        const snapshots = new KeptSnapshots();
        if (at > 0) await snapshots.save('counter-1', 1, { version: at, position: BigInt(at), state: steps.slice(0, at).reduce((sum, by) => sum + by, 0) });
        const short = await new States(store, snapshots).refresh(counter, '1');
        expect([short.state, short.version, short.position]).toEqual([whole.state, whole.version, whole.position]);
      }),
      { numRuns: 200 },
    );
  });

  it('are left behind by a cold load of a long stream', async () => {
    const store = newStore();
    await store.append([{ streamId: 'counter-1', expected: 'none', events: Array.from({ length: 501 }, () => counted(1)) }], [], next());
    const snapshots = new KeptSnapshots();
    await new States(store, snapshots).refresh(counter, '1');
    expect(snapshots.kept.get('counter-1')).toMatchObject({ version: 501, state: 501 });
  });
});
