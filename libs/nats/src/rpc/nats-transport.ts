import { ServerNats, type NatsContext } from '@nestjs/microservices';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { toJson } from '@app/http';
import type { NatsLink } from '../nats-link';
import { JsonRequests } from './json-requests';

/** Whichever process is free answers. */
const QUEUE = 'harness';

/**
 * Nest's transport for NATS, over the one connection of the process: it waits for no broker at the start, comes back with the connection, and lets requests
 * end before it closes.
 */
export class NatsTransport extends ServerNats {
  private readonly open = new Set<Subscription>();
  private readonly running = new Map<Msg, PromiseWithResolvers<void>>();
  private off: (() => void) | undefined;

  constructor(private readonly link: NatsLink) {
    super({ queue: QUEUE, deserializer: new JsonRequests(), serializer: { serialize: (packet: unknown) => ({ data: toJson(packet), headers: undefined }) } });
  }

  override listen(callback: () => void): Promise<void> {
    this.off = this.link.onConnection((connection) => this.bindEvents(connection));
    callback();
    return Promise.resolve();
  }

  override bindEvents(connection: NatsConnection): void {
    this.open.clear();
    for (const subject of this.messageHandlers.keys()) {
      const answer = this.getMessageHandler(subject) as (error: Error | null, message: Msg) => void;
      this.open.add(connection.subscribe(subject, { queue: QUEUE, callback: (error, message) => answer(error, message) }));
    }
  }

  override async close(): Promise<void> {
    this.off?.();
    for (const subscription of this.open) subscription.unsubscribe();
    this.open.clear();
    await Promise.all([...this.running.values()].map(({ promise }) => promise));
  }

  override async handleMessage(subject: string, message: Msg): Promise<unknown> {
    this.running.set(message, Promise.withResolvers());
    return (await super.handleMessage(subject, message)) as unknown;
  }

  override getPublisher(message: Msg, id: string, context: NatsContext) {
    const publish = super.getPublisher(message, id, context) as (response: { isDisposed?: boolean }) => unknown;
    return (response: { isDisposed?: boolean }): unknown => {
      // An answer that cannot be sent, as one that is too large, is over, too.
      try {
        return publish(response);
      } finally {
        if (response.isDisposed) {
          this.running.get(message)?.resolve();
          this.running.delete(message);
        }
      }
    };
  }
}
