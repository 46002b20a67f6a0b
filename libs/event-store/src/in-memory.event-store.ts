import { hash } from 'node:crypto';
import type { Catalogue, Context, Event, Metadata, Recorded } from '@app/kernel';
import { canonicalJson } from './chain/canonical';
import { conflictOf } from './conflict';
import { matcherOf } from './event-filter';
import { EventStore, type Appended, type AppendResult, type Guard, type ReadOptions, type StreamWrite } from './event-store';
import { LogReader } from './log-reader';
import { pagesOf, type LogPage, type PageRequest } from './log-source';
import { CommandPreparer, type PreparedCommand, type PreparedEvent } from './prepare';
import { PayloadSealer, type SealingOptions } from './sealing/payload-sealer';

/** The twin of the PostgreSQL adapter for specs: same checks, same answers, same chain fields; nothing survives the process. */
export class InMemoryEventStore extends EventStore {
  private readonly catalogue: Catalogue;
  private readonly sealer: PayloadSealer | undefined;
  private readonly preparer: CommandPreparer;
  private readonly log: Recorded[] = [];
  private readonly streams = new Map<string, Recorded[]>();
  private closed = false;
  private readonly repeatable = new Map<string, Appended>();
  private readonly reader = new LogReader({ page: (request) => this.opened(request) }, () => this.head(), { poll: null, makesForget: (event) => this.sealer?.makesForget(event) ?? false });

  constructor({ catalogue, maxEventBytes, sealing }: { readonly catalogue: Catalogue; readonly maxEventBytes?: number; readonly sealing?: SealingOptions }) {
    super();
    this.catalogue = catalogue;
    this.sealer = sealing && new PayloadSealer(sealing);
    this.preparer = new CommandPreparer(catalogue, maxEventBytes, this.sealer);
  }

  /** Judges and writes without waiting in between: two racing appends cannot both see the old version. */
  override append(writes: readonly StreamWrite[], guards: readonly Guard[], context: Context): Promise<AppendResult> {
    const keys = this.sealer?.ready(writes, context);
    return keys ? keys.then(() => this.appendNow(writes, guards, context)) : this.appendNow(writes, guards, context);
  }

  private appendNow(writes: readonly StreamWrite[], guards: readonly Guard[], context: Context): Promise<AppendResult> {
    const prepared = this.preparer.prepare(writes, guards, context);
    if (this.closed) return Promise.resolve({ ok: false, kind: 'unavailable', detail: 'The event store is closed; nothing was stored.' });
    return Promise.resolve(prepared.ok ? this.store(prepared.command) : prepared);
  }

  override recorded({ commandId, repeatable }: Pick<Context, 'commandId' | 'repeatable'>): Promise<Appended | null> {
    const before = repeatable ? this.repeatable.get(commandId) : undefined;
    return Promise.resolve(before ? { ...before, repeated: true } : null);
  }

  override async *read(streamId: string, fromVersion = 1): AsyncGenerator<Recorded, void, undefined> {
    for (const event of (this.streams.get(streamId) ?? []).slice(Math.max(fromVersion - 1, 0))) {
      const [opened] = await this.open([this.copy(event)]);
      yield opened!;
    }
  }

  override readAll(after: bigint, options?: ReadOptions): AsyncIterable<readonly Recorded[]> {
    return pagesOf({ page: (request) => this.opened(request) }, after, options);
  }

  override follow(after: bigint, options?: ReadOptions): AsyncIterable<readonly Recorded[]> {
    return this.reader.follow(after, options);
  }

  override head(): Promise<bigint> {
    return Promise.resolve(this.log.at(-1)?.position ?? 0n);
  }

  override versions(streamIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return Promise.resolve(new Map(streamIds.map((streamId) => [streamId, this.versionOf(streamId)])));
  }

  override close(): Promise<void> {
    this.closed = true;
    this.reader.close();
    return Promise.resolve();
  }

  private versionOf = (streamId: string) => this.streams.get(streamId)?.length ?? 0;

  private store(command: PreparedCommand): AppendResult {
    const before = command.key === null ? undefined : this.repeatable.get(command.key);
    if (before) return { ...before, repeated: true };
    const conflict = conflictOf(command, (i) => this.versionOf(command.writes[i]!.streamId), (i) => this.versionOf(command.guards[i]!.streamId));
    if (conflict) return conflict;
    const batch = BigInt(this.log.length + 1);
    const versions: Record<string, number> = {};
    for (const { streamId, events } of command.writes) {
      for (const event of events) this.record(command, streamId, event, batch);
      versions[streamId] = this.versionOf(streamId);
    }
    const result: Appended = { ok: true, position: BigInt(this.log.length), versions, repeated: false };
    if (command.key !== null) this.repeatable.set(command.key, result);
    this.reader.wake();
    return result;
  }

  private record(command: PreparedCommand, streamId: string, { eventId, type, schemaVersion, data }: PreparedEvent, batch: bigint) {
    const stream = this.streams.get(streamId) ?? [];
    const { siteId, occurredAt } = command;
    const position = BigInt(this.log.length + 1);
    const version = stream.length + 1;
    const parsed = { data: JSON.parse(data) as Event['data'], metadata: JSON.parse(command.metadata) as Metadata };
    const leaf = hash('sha256', canonicalJson({ ...parsed, eventId, occurredAt, position: String(position), schemaVersion, siteId, streamId, type, version }));
    const recorded: Recorded = { type, ...parsed, position, streamId, version, eventId, schemaVersion, siteId, occurredAt, chain: { leaf, batch } };
    stream.push(recorded);
    this.streams.set(streamId, stream);
    this.log.push(recorded);
  }

  private open = async (events: readonly Recorded[]) => (this.sealer ? this.sealer.open(events, this.catalogue) : events);

  private async opened(request: PageRequest): Promise<LogPage> {
    const page = this.page(request);
    return { ...page, events: await this.open(page.events) };
  }

  private page({ after, limit, upTo, filter }: PageRequest): LogPage {
    const head = BigInt(this.log.length);
    const ceiling = upTo !== undefined && upTo < head ? upTo : head;
    const matches = matcherOf(filter) ?? (() => true);
    const events: Recorded[] = [];
    let reached = after;
    while (reached < ceiling && events.length < limit) {
      const event = this.log[Number(reached)]!;
      reached = event.position;
      if (matches(event)) events.push(this.copy(event));
    }
    return { events, reached, head, bytes: 0 };
  }

  /** What a reader does to its events stays with the reader. */
  private copy = (event: Recorded): Recorded => ({
    ...event, data: ('$sealed' in event.data ? structuredClone(event.data) : this.catalogue.upcast(event.type, event.schemaVersion, structuredClone(event.data))) as Event['data'], metadata: structuredClone(event.metadata),
  });
}
