import { DeliverPolicy, jetstream, jetstreamManager, type ConsumerMessages, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { ALL_EVENTS, eventSubject, POSITION_HEADER, STREAM, type CloudEvent } from '@app/nats/contract';
import { Bookmark } from './bookmark';
import { ConnectionWatch } from './connection-watch';
import { pause, settledOr } from './pause';

export type EventQuery = {
  /** Each left out means all of them. */
  readonly siteId?: string | undefined;
  readonly category?: string | undefined;
  readonly type?: string | undefined;
  /** Begins behind this position, which you have kept with the effects of the events before it. */
  readonly after?: string | undefined;
  /** In place of `after`: the broker keeps the position under this name, and a restart goes on there. One process at a time may use a name. */
  readonly durable?: string | undefined;
  /** Ends the subscription. */
  readonly signal?: AbortSignal | undefined;
};

/** As events of the harness arrive over NATS. */
export type HarnessEvent<Data = unknown> = CloudEvent & { readonly data?: Data };

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
/** What waits in memory for a reader that is slower than the broker. */
const PREFETCH = 500;

/**
 * The events of the log in its order, each once: first the past, then what comes. Outages of the broker are waited out, for ever. An event counts as
 * handled when the next one is asked for; with `durable`, what a crash left between the two comes again.
 */
export async function* events(connection: NatsConnection, { siteId = '*', category = '*', type = '*', after, durable, signal }: EventQuery = {}): AsyncGenerator<HarnessEvent, void, undefined> {
  const bookmark = durable === undefined ? undefined : new Bookmark(connection, durable);
  // Across sites the broker has no filter for a kind of events: they are picked out here.
  const filter = siteId === '*' ? ALL_EVENTS : eventSubject(siteId, category, type);
  const isMeant = (event: HarnessEvent) => (category === '*' || event.subject.startsWith(`${category}-`)) && (type === '*' || event.type === type);
  // Positions rise in the order of the log, so one number remembers every event that was seen.
  let position: bigint | undefined = after === undefined ? (bookmark ? undefined : 0n) : BigInt(after);
  const watch = new ConnectionWatch(connection);
  try {
    for (let failures = 0; !signal?.aborted && !connection.isClosed(); failures++) {
      await settledOr(watch.up(), signal);
      try {
        position ??= await bookmark!.read();
        const messages = await messagesAfter(connection, filter, position);
        const unwatch = endWith(messages, signal ? AbortSignal.any([signal, watch.interrupted]) : watch.interrupted);
        try {
          for await (const message of messages) {
            const event = message.json<HarnessEvent>();
            const at = BigInt(event.position);
            if (at <= position) continue;
            failures = 0;
            if (isMeant(event)) yield event;
            position = at;
            bookmark?.put(at);
            if (signal?.aborted) return;
          }
        } finally {
          unwatch();
          messages.stop();
        }
      } catch (error) {
        if (!isPassing(error)) throw error;
      }
      await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures), signal);
    }
  } finally {
    watch.close();
    await bookmark?.close();
  }
}

/** A reader of the stream from the first message behind a position on. It is the reader's own and nothing of it stays at the broker. */
const messagesAfter = async (connection: NatsConnection, filter: string, position: bigint): Promise<ConsumerMessages> => {
  const manager = await jetstreamManager(connection);
  const start = await sequenceAfter(manager, position);
  const consumer = await jetstream(connection).consumers.get(STREAM, { filter_subjects: filter, deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: start });
  return consumer.consume({ max_messages: PREFETCH });
};

/**
 * The first message behind a position. Sequence numbers begin anew when the broker has lost its storage, positions never do; both rise together, so it is
 * found by halving.
 */
export const sequenceAfter = async (manager: Pick<JetStreamManager, 'streams'>, position: bigint): Promise<number> => {
  const { state } = await manager.streams.info(STREAM);
  let [low, high] = [Math.max(1, state.first_seq), state.last_seq + 1];
  while (position > 0n && low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = await positionFrom(manager, middle, high);
    if (found === undefined || found.position > position) high = middle;
    else low = found.sequence + 1;
  }
  return low;
};

/** Of the first message with a position from a sequence number on, below another. */
const positionFrom = async (manager: Pick<JetStreamManager, 'streams'>, from: number, below: number) => {
  for (let sequence = from; sequence < below; sequence++) {
    const message = await manager.streams.getMessage(STREAM, { seq: sequence });
    const position = message?.header.get(POSITION_HEADER);
    if (position) return { sequence, position: BigInt(position) };
  }
  return undefined;
};

/** Ends a reading when whoever reads has enough, and when the connection was interrupted or the stream is another one: it then begins anew behind the last event. */
const endWith = (messages: ConsumerMessages, signal: AbortSignal): (() => void) => {
  const stop = () => messages.stop();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  void (async () => {
    for await (const { type } of messages.status()) if (ENDS.has(type)) return stop();
  })();
  return () => signal.removeEventListener('abort', stop);
};

const ENDS: ReadonlySet<string> = new Set(['heartbeats_missed', 'consumer_not_found', 'stream_not_found', 'consumer_deleted', 'ordered_consumer_recreated', 'no_responders', 'reset']);

/** The broker is away, starts, or has no stream yet: all of that passes. A permission that is missing does not. */
const isPassing = (error: unknown): boolean => !(error instanceof Error && /permission|authoriz/i.test(`${error.name} ${error.message}`));
