import { LRUCache } from 'lru-cache';
import type { Aggregate, Event } from '@app/kernel';
import type { EventStore } from './event-store';
import { NoSnapshots, type Snapshots } from './snapshots';

/** A stream folded up to `version`; `position` is that of its last event; `bytes` estimates what the state holds in memory. */
export type Folded<State = unknown> = { readonly state: State; readonly version: number; readonly position: bigint; readonly bytes: number };

const EMPTY_BYTES = 256;
/** A cold load that read more events than this leaves a snapshot behind: reading 500 events costs about 2 ms, writing one row less. */
const SNAPSHOT_AFTER = 500;

/** Folded streams, warm and bounded by bytes. A warm state may be behind the log: appends prove it, `refresh` catches up. */
export class States {
  private readonly cache: LRUCache<string, Folded>;

  constructor(
    private readonly store: EventStore,
    private readonly snapshots: Snapshots = new NoSnapshots(),
    { maxBytes = 64 * 1024 * 1024 }: { readonly maxBytes?: number } = {},
  ) {
    this.cache = new LRUCache<string, Folded>({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
  }

  /** The warm state if there is one, else the state of the log. */
  async load<State, E extends Event>(aggregate: Aggregate<State, E>, id: string): Promise<Folded<State>> {
    return this.warm(aggregate, id) ?? this.refresh(aggregate, id);
  }

  /** The warm state if there is one, else that of a stream which does not exist; the log is not asked. */
  unread<State, E extends Event>(aggregate: Aggregate<State, E>, id: string): Folded<State> {
    return this.warm(aggregate, id) ?? empty(aggregate);
  }

  warm<State, E extends Event>(aggregate: Aggregate<State, E>, id: string): Folded<State> | undefined {
    return this.cache.get(`${aggregate.category}-${id}`) as Folded<State> | undefined;
  }

  /** Reads what the log has beyond the warm state, and folds it in. */
  async refresh<State, E extends Event>(aggregate: Aggregate<State, E>, id: string): Promise<Folded<State>> {
    const streamId = `${aggregate.category}-${id}`;
    const start = this.warm(aggregate, id) ?? (await this.snapshot(aggregate, streamId)) ?? empty(aggregate);
    let { state, version, position, bytes } = start;
    for await (const event of this.store.read(streamId, version + 1)) {
      state = aggregate.evolve(state, event as unknown as E);
      ({ version, position } = event);
      bytes += sizeOf(event.data);
    }
    const folded = { state, version, position, bytes: aggregate.bytesOf?.(state) ?? bytes };
    this.put(streamId, folded);
    if (version - start.version > SNAPSHOT_AFTER) await this.snapshots.save(streamId, aggregate.stateVersion, { version, position, state });
    return folded;
  }

  /** Folds events that were just appended onto the state they were decided on. */
  advance<State, E extends Event>(aggregate: Aggregate<State, E>, id: string, from: Folded<State>, events: readonly E[], position: bigint): Folded<State> {
    const state = events.reduce(aggregate.evolve, from.state);
    const bytes = aggregate.bytesOf?.(state) ?? events.reduce((sum, { data }) => sum + sizeOf(data), from.bytes);
    const folded = { state, version: from.version + events.length, position, bytes };
    const known = this.warm(aggregate, id);
    if (!known || known.version < folded.version) this.put(`${aggregate.category}-${id}`, folded);
    return folded;
  }

  /** Never replaces a newer state with an older one: two loads may finish in either order. */
  private put(streamId: string, folded: Folded) {
    const known = this.cache.peek(streamId);
    if (!known || known.version <= folded.version) this.cache.set(streamId, folded);
  }

  private async snapshot<State, E extends Event>(aggregate: Aggregate<State, E>, streamId: string): Promise<Folded<State> | undefined> {
    const found = await this.snapshots.load(streamId, aggregate.stateVersion);
    return found ? { ...found, state: found.state as State, bytes: aggregate.bytesOf?.(found.state as State) ?? sizeOf(found.state) } : undefined;
  }
}

const empty = <State, E extends Event>(aggregate: Aggregate<State, E>): Folded<State> => ({
  state: aggregate.initial, version: 0, position: 0n, bytes: EMPTY_BYTES,
});

const sizeOf = (data: unknown) => (JSON.stringify(data) ?? '').length * 2;
