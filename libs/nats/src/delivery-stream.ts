import { jetstream, JetStreamApiCodes, JetStreamApiError, jetstreamManager, StorageType } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import type { NatsLink } from './nats-link';
import { DELIVERY_STREAM, deliverySubject, POSITION_HEADER, siteDeliveries } from './subjects.policy';
import { untilAborted } from './until-aborted';

export type DeliveryMessage = {
  readonly siteId: string;
  readonly topic: string;
  /** The same for every attempt at one delivery: within the time that the broker remembers it, the message is kept once. */
  readonly id: string;
  readonly position: bigint;
  readonly contentType: string;
  readonly payload: string;
};

/**
 * `BROKER_UNREACHABLE`: not connected, or no acknowledgement in time · `BROKER_REFUSED`: the broker answered, and did not keep the message. `detail` is a
 * sentence that may be shown.
 */
export type DeliveryOutcome = { readonly ok: true } | { readonly ok: false; readonly code: 'BROKER_UNREACHABLE' | 'BROKER_REFUSED'; readonly detail: string };

const ACK_MS = 5_000;
/** Room for headers beside the payload. */
const HEADER_BYTES = 1_024;
const { StreamNotFound } = JetStreamApiCodes;

/**
 * Publishes what subscriptions are sent. A message counts as delivered when JetStream has acknowledged it. Where no stream takes the subjects of a
 * site, `HARNESS_CDC` is made to; one that an operator has set up for them is left alone.
 */
export class DeliveryStream {
  constructor(private readonly link: NatsLink) {}

  /** Bytes of a payload that the broker takes. */
  get room(): number {
    return (this.link.current?.info?.max_payload ?? Infinity) - HEADER_BYTES;
  }

  /** Nothing is given to a connection that is down: it would be kept in memory and leave late. */
  async publish(message: DeliveryMessage, signal: AbortSignal): Promise<DeliveryOutcome> {
    if (!this.link.current) return failed('BROKER_UNREACHABLE', 'The message broker is not connected; its connection is tried again until it is.');
    try {
      const { connection, lost } = await this.link.connected(signal);
      await untilAborted(put(connection, message), AbortSignal.any([lost, signal]));
      return { ok: true };
    } catch (error) {
      if (error instanceof JetStreamApiError || isUntaken(error)) return failed('BROKER_REFUSED', `The message broker does not keep the message: ${error.message}.`);
      return failed('BROKER_UNREACHABLE', 'The message broker has not acknowledged the message.');
    }
  }
}

const put = async (connection: NatsConnection, message: DeliveryMessage): Promise<void> => {
  try {
    await send(connection, message);
  } catch (error) {
    if (!isUntaken(error)) throw error;
    await take(connection, message.siteId);
    await send(connection, message);
  }
};

/** Nobody listens on the subject: no stream takes it. The library says so by this name, and exports no class for it. */
const isUntaken = (error: unknown): error is Error => error instanceof Error && error.name === 'JetStreamNotEnabled';

const send = async (connection: NatsConnection, { siteId, topic, id, position, contentType, payload }: DeliveryMessage): Promise<void> => {
  const header = headers();
  header.set('Content-Type', contentType);
  header.set(POSITION_HEADER, String(position));
  await jetstream(connection).publish(deliverySubject(siteId, topic), payload, { msgID: id, headers: header, timeout: ACK_MS });
};

/** From now on the stream takes what subscriptions of this site are sent, too. Of two processes that do so at once one may be overwritten, and asks again. */
const take = async (connection: NatsConnection, siteId: string): Promise<void> => {
  const { streams } = await jetstreamManager(connection);
  const found = await streams.info(DELIVERY_STREAM).catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.code === StreamNotFound) return undefined;
    throw error;
  });
  if (found) await streams.update(DELIVERY_STREAM, { ...found.config, subjects: [...new Set([...found.config.subjects, siteDeliveries(siteId)])] });
  else await streams.add({ name: DELIVERY_STREAM, subjects: [siteDeliveries(siteId)], storage: StorageType.File });
};

const failed = (code: 'BROKER_UNREACHABLE' | 'BROKER_REFUSED', detail: string): DeliveryOutcome => ({ ok: false, code, detail });
