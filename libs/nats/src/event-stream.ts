import { jetstream, JetStreamApiCodes, JetStreamApiError, jetstreamManager, StorageType, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import type { Recorded, SealedPayloads } from '@app/kernel';
import { CLOUD_EVENT_TYPE, cloudEventOf, subjectOf, withoutData } from './cloud-event.view';
import { POSITION_HEADER, siteSubject, STREAM } from './subjects.policy';

/** Where a stream ends: its last sequence number, and the last event of ours in it. */
export type Tail = { readonly sequence: number; readonly last?: { readonly position: bigint; readonly eventId: string } };

/** What is known about the data of event types. */
export type EventShapes = {
  /** The newest version of a type. */
  readonly versionOf: (type: string) => number | undefined;
  /** What the log holds sealed; it does not leave for the broker. */
  readonly sealed?: SealedPayloads | undefined;
};

export type EventMessage = { readonly subject: string; readonly eventId: string; readonly position: bigint; readonly payload: Uint8Array };

/** The stream does not take an event at the place where it belongs: somebody else has published, or the stream is another one by now. */
export class StreamMoved extends Error {
  override readonly name = 'StreamMoved';
}

const { StreamNotFound, StreamWrongLastSequence } = JetStreamApiCodes;
/** Foreign messages that are passed over on the way back to the last event. */
const LOOK_BACK = 1_000;
const ACK_MS = 5_000;
/** Room for headers beside the payload. */
const HEADER_BYTES = 1_024;

/** The JetStream stream that events are published to. */
export class EventStream {
  private readonly js: JetStreamClient;

  private constructor(
    private readonly connection: NatsConnection,
    private readonly manager: JetStreamManager,
    private readonly shapes: EventShapes,
    private readonly subjects: Set<string>,
  ) {
    this.js = jetstream(connection);
  }

  /** A stream that is there stays as its operator set it; one is made with the first site that has something to be published. */
  static async open(connection: NatsConnection, shapes: EventShapes): Promise<EventStream> {
    const manager = await jetstreamManager(connection);
    const found = await manager.streams.info(STREAM).catch(unlessMissing);
    return new EventStream(connection, manager, shapes, new Set(found?.config.subjects));
  }

  takes(siteId: string): boolean {
    return this.subjects.has(siteSubject(siteId));
  }

  /** From now on the stream takes the events of this site, too. */
  async take(siteId: string): Promise<void> {
    const found = await this.manager.streams.info(STREAM).catch(unlessMissing);
    const { config } = found
      ? await this.manager.streams.update(STREAM, { ...found.config, subjects: [...new Set([...found.config.subjects, siteSubject(siteId)])] })
      : await this.manager.streams.add({ name: STREAM, subjects: [siteSubject(siteId)], storage: StorageType.File });
    for (const subject of config.subjects) this.subjects.add(subject);
  }

  /** The stream itself says what is in it: more than a checkpoint when the process ended between the two, less when the broker lost something. */
  async tail(): Promise<Tail> {
    const found = await this.manager.streams.info(STREAM).catch(unlessMissing);
    if (!found) return { sequence: 0 };
    const { state } = found;
    const first = Math.max(state.first_seq, state.last_seq - LOOK_BACK + 1);
    for (let seq = state.last_seq; state.messages > 0 && seq >= first; seq--) {
      const message = await this.manager.streams.getMessage(STREAM, { seq });
      const position = message?.header.get(POSITION_HEADER) ?? '';
      if (message && /^[1-9]\d{0,18}$/.test(position)) return { sequence: state.last_seq, last: { position: BigInt(position), eventId: message.header.get('Nats-Msg-Id') } };
    }
    return { sequence: state.last_seq };
  }

  /** The message of an event; one that is larger than the broker takes goes without its data. */
  messageOf(event: Recorded): EventMessage {
    const cloudEvent = cloudEventOf(event, { dataVersion: this.shapes.versionOf(event.type), sealed: this.shapes.sealed?.[event.type]?.fields });
    const whole = Buffer.from(JSON.stringify(cloudEvent));
    const room = (this.connection.info?.max_payload ?? Infinity) - HEADER_BYTES;
    const payload = whole.byteLength <= room ? whole : Buffer.from(JSON.stringify(withoutData(cloudEvent)));
    return { subject: subjectOf(event), eventId: event.eventId, position: event.position, payload };
  }

  /**
   * Publishes a message as the next one after `after` and as nothing else: whoever else published meanwhile, and whatever of ours comes late, is refused
   * by the stream. Any number may be under way, and they are stored in the order of the calls or not at all.
   */
  async publish({ subject, eventId, position, payload }: EventMessage, after: number): Promise<void> {
    const header = headers();
    header.set('Content-Type', CLOUD_EVENT_TYPE);
    header.set(POSITION_HEADER, String(position));
    const { seq } = await this.js.publish(subject, payload, { msgID: eventId, expect: { streamName: STREAM, lastSequence: after }, headers: header, timeout: ACK_MS }).catch(asMoved);
    if (seq !== after + 1) throw new StreamMoved(`Event ${eventId} is message ${seq} of the stream, and not ${after + 1}.`);
  }
}

const unlessMissing = (error: unknown): undefined => {
  if (error instanceof JetStreamApiError && error.code === StreamNotFound) return undefined;
  throw error;
};

const asMoved = (error: unknown): never => {
  throw error instanceof JetStreamApiError && error.code === StreamWrongLastSequence ? new StreamMoved(error.message, { cause: error }) : error;
};
