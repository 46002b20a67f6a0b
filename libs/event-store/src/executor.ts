import { reject, type Aggregate, type Context, type Decision, type Event, type Rejected } from '@app/kernel';
import type { AppendFailure, EventStore } from './event-store';
import { KeyedQueue } from './keyed-queue';
import type { Folded, States } from './states';

/**
 * One stream that a command reads. A guarded stream is never written: the append asserts that it has not moved since it was read.
 * A fresh one has an id that was just made, so nothing is read before the decision: should it exist after all, the append finds out.
 */
export type StreamRef<State, E extends Event> = { readonly aggregate: Aggregate<State, E>; readonly id: string; readonly guard?: true; readonly fresh?: true };

// `any` only in the constraint: states and events are invariant here, and the three mapped types give them back exactly.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type StreamRefs = Readonly<Record<string, StreamRef<any, any>>>;
export type StatesOf<T extends StreamRefs> = { readonly [K in keyof T]: T[K]['aggregate']['initial'] };
export type VersionsOf<T extends StreamRefs> = { readonly [K in keyof T]: number };
export type EventsOf<T extends StreamRefs> = { readonly [K in keyof T]?: readonly Parameters<T[K]['aggregate']['evolve']>[1][] };

/**
 * `states` and `versions` are those after the append; `events` are the ones this very append wrote, so none when the command id had been
 * appended before. `position` is the last one written, or that of the newest event read when nothing was.
 */
export type Executed<T extends StreamRefs> =
  | { readonly ok: true; readonly position: bigint; readonly states: StatesOf<T>; readonly versions: VersionsOf<T>; readonly events: EventsOf<T> }
  | Rejected;

/** Sees decisions from outside: for metrics and traces. */
export type ExecutorObserver = {
  /** A stream that a decision relied on without writing it had moved; the decision is taken again. */
  guardMoved?(streamId: string): void;
  /** Surrounds a decision on these streams, retries and append included; `decide` must be called once, with this context or an enriched one. */
  decision?<T extends { readonly ok: boolean }>(streamIds: readonly string[], context: Context, decide: (context: Context) => Promise<T>): Promise<T>;
};

export type ExecutorOptions = { readonly deadlineMs?: number; readonly monotonicMs?: () => number; readonly observer?: ExecutorObserver };

/**
 * Load, fold, decide, append: the only place where a decision meets storage, and the only retry.
 * A command decides on warm states without reading; the append proves that they were current. After a conflict the tails are read and the
 * decision is taken again, until the deadline. A refusal proves nothing by itself, so it stands only if the states were current.
 */
export class Executor {
  private readonly queue = new KeyedQueue();
  private readonly deadlineMs: number;
  private readonly monotonicMs: () => number;
  private readonly observer: ExecutorObserver;

  constructor(
    private readonly store: EventStore,
    readonly states: States,
    { deadlineMs = 5_000, monotonicMs = () => performance.now(), observer = {} }: ExecutorOptions = {},
  ) {
    this.observer = observer;
    this.deadlineMs = deadlineMs;
    this.monotonicMs = monotonicMs;
  }

  execute<T extends StreamRefs>(
    refs: T,
    context: Context,
    decide: (states: StatesOf<T>, versions: VersionsOf<T>) => Decision<EventsOf<T>>,
  ): Promise<Executed<T>> {
    const written = Object.values(refs).filter(({ guard }) => !guard).map(streamIdOf);
    const run = (inContext: Context) => this.queue.run(written, () => this.decideUntilCurrent(refs, inContext, decide));
    return this.observer.decision ? this.observer.decision(written, context, run) : run(context);
  }

  /** The state of one stream as the log has it now; for questions that must not be answered from a warm state. */
  async current<State, E extends Event>(aggregate: Aggregate<State, E>, id: string): Promise<Folded<State>> {
    const folded = await this.states.load(aggregate, id);
    const now = await this.store.versions([`${aggregate.category}-${id}`]);
    return now.get(`${aggregate.category}-${id}`) === folded.version ? folded : this.states.refresh(aggregate, id);
  }

  private async decideUntilCurrent<T extends StreamRefs>(
    refs: T,
    context: Context,
    decide: (states: StatesOf<T>, versions: VersionsOf<T>) => Decision<EventsOf<T>>,
  ): Promise<Executed<T>> {
    const deadline = this.monotonicMs() + this.deadlineMs;
    const names = Object.keys(refs) as (keyof T & string)[];
    const folded = new Map<string, Folded>();
    for (const name of names) {
      const { aggregate, id, fresh } = refs[name]!;
      folded.set(name, fresh ? this.states.unread(aggregate, id) : await this.states.load(aggregate, id));
    }
    for (;;) {
      const at = (name: string) => folded.get(name)!;
      const states = Object.fromEntries(names.map((name) => [name, at(name).state])) as StatesOf<T>;
      const versions = Object.fromEntries(names.map((name) => [name, at(name).version])) as VersionsOf<T>;
      const decision = decide(states, versions);
      const events = decision.ok ? decision.events : ({} as EventsOf<T>);
      const writing = names.filter((name) => (events[name]?.length ?? 0) > 0);
      if (!decision.ok || writing.length === 0) {
        if (!(await this.catchUp(refs, folded))) {
          if (!decision.ok) return (await this.recorded(refs, context)) ?? decision;
          const position = [...folded.values()].reduce((max, f) => (f.position > max ? f.position : max), 0n);
          return { ok: true, position, states, versions, events };
        }
        continue;
      }
      const result = await this.store.append(
        writing.map((name) => ({ streamId: streamIdOf(refs[name]!), expected: at(name).version, events: events[name]! })),
        names.filter((name) => refs[name]!.guard).map((name) => ({ streamId: streamIdOf(refs[name]!), version: at(name).version })),
        context,
      );
      if (result.ok) {
        for (const name of writing) context.appended?.(streamIdOf(refs[name]!), events[name]!);
        if (result.repeated) for (const name of names) folded.set(name, await this.states.refresh(refs[name]!.aggregate, refs[name]!.id));
        else for (const name of writing) folded.set(name, this.states.advance(refs[name]!.aggregate, refs[name]!.id, at(name), events[name]!, result.position));
        return {
          ok: true,
          position: result.position,
          states: Object.fromEntries(names.map((name) => [name, at(name).state])) as StatesOf<T>,
          versions: Object.fromEntries(names.map((name) => [name, at(name).version])) as VersionsOf<T>,
          events: result.repeated ? ({} as EventsOf<T>) : events,
        };
      }
      if (result.kind !== 'conflict') return rejectionOf(result);
      if (this.monotonicMs() > deadline) return reject('conflict', 'CONFLICT', 'Others kept changing this record; load it again and repeat the request.');
      await this.catchUp(refs, folded);
    }
  }

  /** A repeat is judged by what it did the first time, not by the state that it left behind: that often refuses the same command now. */
  private async recorded<T extends StreamRefs>(refs: T, context: Context): Promise<Executed<T> | undefined> {
    const done = await this.store.recorded(context);
    if (!done) return undefined;
    const now = await Promise.all(Object.entries(refs).map(async ([name, { aggregate, id }]) => [name, await this.states.refresh(aggregate, id)] as const));
    return {
      ok: true,
      position: done.position,
      states: Object.fromEntries(now.map(([name, { state }]) => [name, state])) as StatesOf<T>,
      versions: Object.fromEntries(now.map(([name, { version }]) => [name, version])) as VersionsOf<T>,
      events: {},
    };
  }

  /** Brings every state up to the log; tells whether any of them was behind. */
  private async catchUp<T extends StreamRefs>(refs: T, folded: Map<string, Folded>): Promise<boolean> {
    const now = await this.store.versions(Object.values(refs).map(streamIdOf));
    let moved = false;
    for (const [name, ref] of Object.entries(refs)) {
      if (now.get(streamIdOf(ref)) === folded.get(name)!.version) continue;
      folded.set(name, await this.states.refresh(ref.aggregate, ref.id));
      moved = true;
      if (ref.guard) this.observer.guardMoved?.(streamIdOf(ref));
    }
    return moved;
  }
}

const streamIdOf = ({ aggregate, id }: StreamRef<unknown, never>) => `${aggregate.category}-${id}`;

const rejectionOf = (failure: Exclude<AppendFailure, { kind: 'conflict' }>): Rejected => {
  switch (failure.kind) {
    case 'invalid':
      return reject('invalid', 'VALIDATION_FAILED', 'The request leads to an event that cannot be stored.', { errors: failure.problems });
    case 'overloaded':
      return reject('unavailable', 'OVERLOADED', 'Too many writes are waiting; nothing was stored. Try again in a moment.');
    case 'unavailable':
      return reject('unavailable', 'UNAVAILABLE', failure.detail);
  }
};
