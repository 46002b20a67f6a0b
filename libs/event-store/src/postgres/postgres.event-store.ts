import { Pool } from 'pg';
import type { Catalogue, Context, Recorded } from '@app/kernel';
import type { Connection } from '@app/database';
import { EventStore, type Appended, type AppendResult, type Guard, type ReadOptions, type StreamWrite } from '../event-store';
import { LogReader, type LogReaderOptions } from '../log-reader';
import { pagesOf } from '../log-source';
import { CommandPreparer } from '../prepare';
import { PayloadSealer, type SealingOptions } from '../sealing/payload-sealer';
import { AppendQueue, type AppendQueueOptions } from './append-queue';
import { Coalesced } from './coalesced';
import type { HeadChannel } from './head-channel';
import { HeadSignal, type HeadSignalOptions } from './head-signal';
import { LogPages } from './log-pages';

export type PostgresEventStoreOptions = {
  readonly connection: Connection;
  readonly catalogue: Catalogue;
  /** Connections for reading. Default 4; one more writes, and one listens. */
  readonly readers?: number;
  /** Bytes of one event's canonical JSON. Default 1 MB. */
  readonly maxEventBytes?: number;
  readonly queue?: AppendQueueOptions;
  readonly reader?: LogReaderOptions;
  /** `false` switches notifications between processes off: new events of other processes are then found by polling. */
  readonly signal?: HeadSignalOptions | false;
  /** Such as a message broker, beside the notifications. */
  readonly heads?: HeadChannel | undefined;
  /** Without it events are stored as they are, and sealed ones read as stored. */
  readonly sealing?: SealingOptions | undefined;
};

const STREAM_PAGE = 1_000;

/** The log in PostgreSQL. `start` before use; the schema must be there (`migrateLog`). */
export class PostgresEventStore extends EventStore {
  private readonly sealer: PayloadSealer | undefined;
  private readonly preparer: CommandPreparer;
  private readonly pool: Pool;
  private readonly pages: LogPages;
  private readonly queue: AppendQueue;
  private readonly reader: LogReader;
  private readonly signal: HeadSignal | null;
  private readonly heads: HeadChannel | undefined;
  private unlisten: (() => void) | undefined;
  private readonly versionQuestions: Coalesced<string, ReadonlyMap<string, number>>;
  private readonly headQuestions: Coalesced<never, bigint>;
  private closing: Promise<void> | undefined;

  constructor({ connection, catalogue, readers = 4, maxEventBytes, queue = {}, reader = {}, signal = {}, heads, sealing }: PostgresEventStoreOptions) {
    super();
    this.sealer = sealing && new PayloadSealer(sealing);
    this.preparer = new CommandPreparer(catalogue, maxEventBytes, this.sealer);
    this.pool = new Pool({
      ...connection, max: readers, connectionTimeoutMillis: 10_000, keepAlive: true, application_name: 'event-store read',
      // Prepared plans outlive the time when the tables were tiny; see append.sql.
      onConnect: async (client) => void (await client.query('SET enable_seqscan = off')),
    });
    this.pool.on('error', () => undefined);
    this.pages = new LogPages(this.pool, catalogue, this.sealer);
    this.versionQuestions = new Coalesced((streamIds) => this.pages.versions(streamIds));
    this.headQuestions = new Coalesced(() => this.pages.head());
    this.reader = new LogReader(this.pages, () => this.head(), { ...reader, makesForget: this.sealer?.makesForget });
    this.signal = signal === false ? null : new HeadSignal(connection, () => this.reader.wake(), signal);
    this.heads = heads;
    this.queue = new AppendQueue(connection, (head) => this.committed(head), queue);
  }

  /** Connects the writer. Throws a sentence for the operator when the database is not fit to hold the log. */
  async start(): Promise<this> {
    await this.queue.start();
    this.signal?.start();
    this.unlisten = this.heads?.listen(() => this.reader.wake());
    return this;
  }

  override append(writes: readonly StreamWrite[], guards: readonly Guard[], context: Context): Promise<AppendResult> {
    const keys = this.sealer?.ready(writes, context);
    if (!keys) return this.enqueue(writes, guards, context);
    return keys.then(
      () => this.enqueue(writes, guards, context),
      (error: unknown) => ({ ok: false, kind: 'unavailable', detail: `The keys of what is to be stored cannot be reached; nothing was stored: ${error instanceof Error ? error.message : String(error)}` }),
    );
  }

  private enqueue(writes: readonly StreamWrite[], guards: readonly Guard[], context: Context): Promise<AppendResult> {
    const prepared = this.preparer.prepare(writes, guards, context);
    return prepared.ok ? this.queue.enqueue(prepared.command) : Promise.resolve(prepared);
  }

  override recorded({ commandId, repeatable }: Pick<Context, 'commandId' | 'repeatable'>): Promise<Appended | null> {
    return repeatable ? this.pages.resultOf(commandId) : Promise.resolve(null);
  }

  override async *read(streamId: string, fromVersion = 1): AsyncGenerator<Recorded, void, undefined> {
    for (let version = fromVersion; ; ) {
      const { events, last } = await this.pages.streamPage(streamId, version, STREAM_PAGE);
      yield* events;
      if (last) return;
      version = events.at(-1)!.version + 1;
    }
  }

  override readAll(after: bigint, options?: ReadOptions): AsyncIterable<readonly Recorded[]> {
    return pagesOf(this.pages, after, options);
  }

  override follow(after: bigint, options?: ReadOptions): AsyncIterable<readonly Recorded[]> {
    return this.reader.follow(after, options);
  }

  override head(): Promise<bigint> {
    return this.headQuestions.request([]);
  }

  override async versions(streamIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (streamIds.length === 0) return new Map();
    const found = await this.versionQuestions.request(streamIds);
    return new Map(streamIds.map((streamId) => [streamId, found.get(streamId) ?? 0]));
  }

  /** Stores what is queued, ends what is followed, disconnects. */
  override close(): Promise<void> {
    this.closing ??= (async () => {
      this.reader.close();
      this.unlisten?.();
      await Promise.all([this.queue.close(), this.signal?.close()]);
      await this.pool.end();
    })();
    return this.closing;
  }

  private committed(head: bigint) {
    this.reader.wake();
    this.signal?.announce(head);
    this.heads?.announce(head);
  }
}
