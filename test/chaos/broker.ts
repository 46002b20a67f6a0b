import { connect, type NatsConnection } from '@nats-io/transport-node';
import { events } from '@app/sdk/nats';
import { testNats, type TestNats } from '../nats';
import type { EventRow } from './event-row';

/** A subscriber of every event, by the helper of the SDK, and what it got. */
class Subscriber {
  readonly got: string[] = [];
  private readonly stopping = new AbortController();
  private readonly reading: Promise<void>;

  constructor(readonly name: string, private readonly connection: NatsConnection) {
    this.reading = this.read();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.reading;
    await this.connection.close();
  }

  private async read(): Promise<void> {
    for await (const { position, subject, type } of events(this.connection, { after: '0', signal: this.stopping.signal })) this.got.push(lineOf(position, subject, type));
  }
}

const lineOf = (position: string, stream: string, type: string) => `${position} ${stream} ${type}`;
const LOOK_MS = 200;

/** A NATS server that may be killed and comes back with what it had stored, and those who listen to it all the time. */
export class Broker {
  private readonly subscribers: Subscriber[] = [];
  private up = true;

  private constructor(private readonly nats: TestNats) {}

  static async start(): Promise<Broker> {
    return new Broker(await testNats());
  }

  get url(): string {
    return this.nats.url;
  }

  async listen(name: string): Promise<void> {
    this.subscribers.push(new Subscriber(name, await connect({ servers: this.url, maxReconnectAttempts: -1, reconnectTimeWait: 100 })));
  }

  get isUp(): boolean {
    return this.up;
  }

  async kill(): Promise<void> {
    this.up = false;
    await this.nats.kill();
  }

  async restart(): Promise<void> {
    await this.nats.restart('kept');
    this.up = true;
  }

  /** What of these rows a subscriber has not got `withinMs` after the log came to rest, or got otherwise than in the log's order and once. */
  async differences(rows: readonly EventRow[], withinMs: number): Promise<string[]> {
    const expected = rows.map(({ position, stream_id: stream, type }) => lineOf(position, stream, type));
    for (const giveUp = performance.now() + withinMs; performance.now() < giveUp; await new Promise((turn) => setTimeout(turn, LOOK_MS)))
      if (this.subscribers.every(({ got }) => got.length >= expected.length)) break;
    return this.subscribers.flatMap(({ name, got }) => {
      const at = expected.findIndex((line, nr) => got[nr] !== line);
      return at < 0 ? [] : [`The ${name} got ${got[at] ?? 'nothing'} in place of ${expected[at]}, ${got.length} of ${expected.length} in all`];
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.subscribers.map((each) => each.stop()));
    await this.nats.stop();
  }
}
