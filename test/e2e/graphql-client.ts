import type { Api, Body } from './server';

export type GraphqlAnswer = { readonly status: number; readonly data: Body; readonly errors: Body[] | undefined };

/** Asks `/graphql` with the key of an API. */
export const asking = (api: Api) => async (query: string, variables?: Record<string, unknown>, headers: Record<string, string> = {}): Promise<GraphqlAnswer> => {
  const { status, body } = await api('POST', '/graphql', { query, ...(variables && { variables }) }, headers);
  return { status, data: body.data, errors: body.errors };
};

type Message = { readonly id?: string; readonly type: string; readonly payload?: Body };

/** A subscriber over the protocol graphql-transport-ws, with nothing but a WebSocket. */
export class Subscriber {
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  private readonly arrived: Message[] = [];
  private readonly waiting: (() => void)[] = [];
  private count = 0;

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data)) as Message;
      if (message.type === 'ping') return this.send({ type: 'pong' });
      this.arrived.push(message);
      this.wake();
    });
    this.closed = new Promise((resolve) => {
      socket.addEventListener('close', ({ code, reason }) => {
        resolve({ code, reason });
        this.wake();
      });
    });
  }

  /** A connection that has not said whose it is. */
  static async open(url: string, protocol = 'graphql-transport-ws'): Promise<Subscriber> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, protocol);
    const subscriber = new Subscriber(socket);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve(), { once: true });
      socket.addEventListener('error', () => reject(new Error('The connection was refused')), { once: true });
    });
    return subscriber;
  }

  /** A connection of a key. */
  static async of(url: string, key: string, more: Record<string, string> = {}): Promise<Subscriber> {
    const subscriber = await Subscriber.open(url);
    subscriber.send({ type: 'connection_init', payload: { Authorization: `Bearer ${key}`, ...more } });
    await subscriber.next(({ type }) => type === 'connection_ack');
    return subscriber;
  }

  send(message: Message): void {
    this.socket.send(JSON.stringify(message));
  }

  /** Begins a subscription; the id is what its messages carry. */
  subscribe(query: string, variables?: Record<string, unknown>): string {
    const id = String(++this.count);
    this.send({ id, type: 'subscribe', payload: { query, ...(variables && { variables }) } });
    return id;
  }

  /** The next message that fits, in the order of arrival; those before it are left. */
  async next(fits: (message: Message) => boolean = () => true): Promise<Message> {
    for (;;) {
      const index = this.arrived.findIndex(fits);
      if (index >= 0) return this.arrived.splice(index, 1)[0]!;
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error('The connection has ended');
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  /** What a subscription is told next. */
  told = async (id: string): Promise<Body> => {
    const { type, payload } = await this.next((message) => message.id === id);
    return type === 'next' ? payload : { [type]: payload };
  };

  /** Messages that arrived and nobody took. */
  get left(): readonly Message[] {
    return this.arrived;
  }

  close(): void {
    this.socket.close();
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
