import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node';
import { untilAborted } from './until-aborted';

type State = 'connected' | 'lost' | 'unreachable';

export type NatsLinkOptions = {
  /** One address or several, separated by commas; credentials may be part of it (`nats://user:password@host`, `nats://token@host`). */
  readonly url: string;
  readonly name: string;
  /** Told of every change: a sentence for the operator, without credentials. */
  readonly onChange?: (state: State, sentence: string) => void;
  readonly pingEveryMs?: number;
};

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;
const CONNECT_MS = 3_000;
/** Two questions without an answer, and the connection counts as dead: a cable that was pulled out closes nothing. */
const PING_EVERY_MS = 3_000;
/**
 * While a connection is up the library tells of its pings, and of its attempts while it is lost. One that it has told nothing of for so long hangs: it flushes a
 * dead connection before it closes it, for instance, and that may take until TCP gives up.
 */
const STUCK_MS = 10_000;

type Listener = (connection: NatsConnection) => void;

/** One connection to the broker, for everything that this process does there. It is tried again for ever, and nothing waits for it at the start. */
export class NatsLink {
  private readonly stopping = new AbortController();
  private readonly listeners = new Set<Listener>();
  private connection: NatsConnection | undefined;
  /** Aborted while the connection is down; `arrived` is settled exactly while it is up, so nobody waits for what another one was told. */
  private up = down();
  private arrived = Promise.withResolvers<void>();
  private running: Promise<void> = Promise.resolve();
  private failures = 0;
  private state: State | undefined;

  constructor(private readonly options: NatsLinkOptions) {
    this.arrived.promise.catch(() => undefined);
  }

  start(): this {
    this.running = this.run();
    return this;
  }

  /** The connection while it is up; what is given to one that is down would be kept in memory. */
  get current(): NatsConnection | undefined {
    return this.up.signal.aborted ? undefined : this.connection;
  }

  /** Resolves with the connection as soon as it is up. Rejects when the signal aborts or the link stops. */
  async connected(signal?: AbortSignal): Promise<{ readonly connection: NatsConnection; /** Aborts when it is lost. */ readonly lost: AbortSignal }> {
    for (;;) {
      signal?.throwIfAborted();
      if (this.current) return { connection: this.current, lost: this.up.signal };
      await untilAborted(this.arrived.promise, signal);
    }
  }

  /** Called with every new connection, the present one included. One that was interrupted and is back is the same: its subscriptions are, too. */
  onConnection(listener: Listener): () => void {
    this.listeners.add(listener);
    if (this.connection) listener(this.connection);
    return () => void this.listeners.delete(listener);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.connection?.close().catch(() => undefined);
    await this.running;
    this.arrived.reject(new Error('The link to the message broker was stopped.'));
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        const connection = await this.open();
        if (this.stopping.signal.aborted) return void (await connection.close());
        this.connection = connection;
        this.rise(connection);
        for (const listener of [...this.listeners]) listener(connection);
        await this.watch(connection);
      } catch (error) {
        this.change('unreachable', `The message broker at ${this.address} cannot be reached (${reasonOf(error)}); it is tried again until it can.`);
        await sleep(this.pauseMs(), undefined, { signal: this.stopping.signal }).catch(() => undefined);
      } finally {
        this.connection = undefined;
        this.fall();
      }
    }
  }

  /** An attempt has its time limit; nobody who stops waits for it. */
  private async open(): Promise<NatsConnection> {
    const { url, name, pingEveryMs: pingInterval = PING_EVERY_MS } = this.options;
    const opening = connect({
      ...addressOf(url), name, timeout: CONNECT_MS, maxReconnectAttempts: -1, pingInterval, maxPingOut: 2, noEcho: true, reconnectDelayHandler: () => this.pauseMs(),
    });
    try {
      return await untilAborted(opening, this.stopping.signal);
    } catch (error) {
      void opening.then((late) => late.close()).catch(() => undefined);
      throw error;
    }
  }

  /** Returns when the connection is closed for good, as by credentials that are no longer valid, or because it hung. */
  private async watch(connection: NatsConnection): Promise<void> {
    const stuck = setTimeout(() => void connection.close().catch(() => undefined), STUCK_MS);
    try {
      for await (const { type } of connection.status()) {
        stuck.refresh();
        // A connection that is lost on its way back is lost a second time without having been up.
        if (type === 'disconnect' || type === 'staleConnection') this.lose();
        else if (type === 'reconnect') this.rise(connection);
        else if (type === 'close') break;
      }
    } finally {
      clearTimeout(stuck);
    }
    this.lose();
    const cause = await connection.closed();
    if (cause instanceof Error) throw cause;
  }

  private rise(connection: NatsConnection) {
    this.failures = 0;
    if (connection.isClosed() || !this.up.signal.aborted) return;
    this.up = new AbortController();
    this.change('connected', `Connected to the message broker at ${this.address}.`);
    this.arrived.resolve();
  }

  /** Whoever waits already goes on waiting for the same promise: it is renewed only where it had been kept. */
  private fall() {
    if (this.up.signal.aborted) return;
    this.arrived = Promise.withResolvers();
    this.arrived.promise.catch(() => undefined);
    this.up.abort();
  }

  private lose() {
    this.fall();
    this.change('lost', `The connection to the message broker at ${this.address} was lost.`);
  }

  private pauseMs(): number {
    const most = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(this.failures++, 10));
    return most / 2 + (Math.random() * most) / 2;
  }

  /** Said once, however often it is tried. */
  private change(state: State, sentence: string) {
    if (this.state === state || this.stopping.signal.aborted) return;
    this.state = state;
    this.options.onChange?.(state, sentence);
  }

  private get address(): string {
    return [addressOf(this.options.url).servers].flat().join(', ');
  }
}

/** Credentials are taken out of the addresses, so that no message shows them; those of the first address that has any are for all. */
const addressOf = (url: string): ConnectionOptions & { readonly servers: string[] } => {
  const servers = url.split(',').map((server) => new URL(server.trim()));
  const credentials = servers.find(({ username }) => username !== '');
  const [user, pass] = [credentials?.username, credentials?.password].map((part) => (part ? decodeURIComponent(part) : undefined));
  return {
    servers: servers.map(({ host }) => host),
    ...(user !== undefined && (pass === undefined ? { token: user } : { user, pass })),
    ...(servers.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
  };
};

const down = (): AbortController => {
  const controller = new AbortController();
  controller.abort();
  return controller;
};

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error));
