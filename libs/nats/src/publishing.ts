import type { EventStore } from '@app/event-store';
import type { Recorded } from '@app/kernel';
import type { EventStream, Tail } from './event-stream';
import { untilAborted } from './until-aborted';

export type PublishingParts = {
  readonly store: Pick<EventStore, 'readAll' | 'follow'>;
  readonly stream: Pick<EventStream, 'tail' | 'takes' | 'take' | 'messageOf' | 'publish'>;
  /** Told of every event that the stream has acknowledged, and of all before it. */
  readonly acknowledged: (position: bigint) => void;
};

/** The stream holds an event that the log does not have at that position. Publishing on would mix two histories. */
export class ForeignStream extends Error {
  override readonly name = 'ForeignStream';
}

/** Messages that may be under way without an acknowledgement, and their size in bytes. */
const WINDOW = 256;
const WINDOW_BYTES = 4 * 1024 * 1024;
const PAGE = 500;

/** Where publishing goes on: after the last event that is in the stream. Where nothing is left of the stream's past, the checkpoint knows. */
export const resumeAfter = ({ sequence, last }: Tail, checkpoint: bigint): bigint => last?.position ?? (sequence === 0 ? 0n : checkpoint);

/** Publishes the log behind what the stream holds, event by event in its order, until the signal aborts. Rejects as soon as one event is not taken. */
export class Publishing {
  private readonly failed = new AbortController();
  private inFlight = 0;
  private bytes = 0;
  private room = Promise.withResolvers<void>();

  constructor(private readonly parts: PublishingParts) {}

  async run(checkpoint: bigint, signal: AbortSignal): Promise<void> {
    const { store, stream, acknowledged } = this.parts;
    const tail = await untilAborted(stream.tail(), signal);
    await this.proveOurs(tail);
    const from = resumeAfter(tail, checkpoint);
    acknowledged(from);
    const ending = AbortSignal.any([signal, this.failed.signal]);
    ending.addEventListener('abort', this.tellWaiters, { once: true });
    const unlessOver = (error: unknown) => {
      if (!ending.aborted) throw error;
    };
    let { sequence } = tail;
    for await (const page of store.follow(from, { signal: ending, pageSize: PAGE })) {
      for (const event of page) {
        while (!ending.aborted && (this.inFlight >= WINDOW || this.bytes >= WINDOW_BYTES)) await this.room.promise;
        if (!ending.aborted && !stream.takes(event.siteId)) await untilAborted(stream.take(event.siteId), ending).catch(unlessOver);
        if (ending.aborted) break;
        this.send(event, sequence++);
      }
    }
    this.failed.signal.throwIfAborted();
  }

  /** All that was sent has been answered, one way or the other. */
  async settled(): Promise<void> {
    while (this.inFlight > 0) await this.room.promise;
  }

  private send(event: Recorded, after: number) {
    const { stream, acknowledged } = this.parts;
    const message = stream.messageOf(event);
    const bytes = message.payload.byteLength;
    this.inFlight++;
    this.bytes += bytes;
    stream
      .publish(message, after)
      .then(() => {
        if (!this.failed.signal.aborted) acknowledged(event.position);
      })
      .catch((error: unknown) => this.failed.abort(error))
      .finally(() => {
        this.inFlight--;
        this.bytes -= bytes;
        this.tellWaiters();
      });
  }

  /** Who looks and still finds no room waits for the next word: on a promise that is already kept it would look again without a pause, and no answer could come in. */
  private readonly tellWaiters = () => {
    const { room } = this;
    this.room = Promise.withResolvers();
    room.resolve();
  };

  private async proveOurs({ last }: Tail): Promise<void> {
    if (!last) return;
    for await (const [event] of this.parts.store.readAll(last.position - 1n, { pageSize: 1 })) {
      if (event?.eventId === last.eventId) return;
      break;
    }
    throw new ForeignStream(
      `The stream holds event ${last.eventId} at position ${last.position}, which this log does not have there: it belongs to another log, or this one was restored to an earlier state. ` +
        'Nothing is published. Use another account of the broker, or delete the stream to have the whole log published anew.',
    );
  }
}
