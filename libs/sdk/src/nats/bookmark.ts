import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

const STREAM = 'HARNESS_BOOKMARKS';
const SUBJECT = 'harness.bookmarks';
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const EVERY_MS = 250;

/** A position that the broker keeps under a name: one message, which each newer one replaces. */
export class Bookmark {
  private readonly subject: string;
  private reached = 0n;
  private kept = 0n;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly connection: NatsConnection,
    name: string,
  ) {
    if (!NAME.test(name)) throw new TypeError('The name of a durable subscription has 1 to 64 letters, digits, dashes and underscores.');
    this.subject = `${SUBJECT}.${name}`;
  }

  async read(): Promise<bigint> {
    const manager = await this.open();
    // A server of the line 2.9 ends itself when it is asked for a message of a stream that it is just making.
    const { state } = await manager.streams.info(STREAM);
    const message = state.messages > 0 ? await manager.streams.getMessage(STREAM, { last_by_subj: this.subject }) : null;
    this.reached = this.kept = BigInt(message?.string() || '0');
    return this.reached;
  }

  /** Kept soon: events are many, and what comes again after a crash is what was handled in this time. */
  put(position: bigint): void {
    this.reached = position;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.keep().catch(() => undefined);
    }, EVERY_MS);
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    if (!this.connection.isClosed()) await this.keep().catch(() => undefined);
  }

  private async keep(): Promise<void> {
    if (this.reached === this.kept) return;
    const position = this.reached;
    const publish = () => jetstream(this.connection).publish(this.subject, String(position));
    // A broker that lost its storage has lost the stream of the bookmarks, too.
    await publish().catch(async () => {
      await this.open();
      await publish();
    });
    this.kept = position;
  }

  private async open(): Promise<JetStreamManager> {
    const manager = await jetstreamManager(this.connection);
    await manager.streams.add({ name: STREAM, subjects: [`${SUBJECT}.*`], max_msgs_per_subject: 1 });
    return manager;
  }
}
