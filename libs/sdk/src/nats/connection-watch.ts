import type { NatsConnection } from '@nats-io/transport-node';

/** Whether a connection is up. What is asked of one that is down waits for nothing and is lost. */
export class ConnectionWatch {
  private interruption = new AbortController();
  private back = Promise.withResolvers<void>();
  private readonly statuses: AsyncIterator<{ readonly type: string }>;

  constructor(connection: NatsConnection) {
    this.back.resolve();
    this.statuses = connection.status()[Symbol.asyncIterator]();
    void this.watch();
  }

  /** Aborts when the connection is interrupted. */
  get interrupted(): AbortSignal {
    return this.interruption.signal;
  }

  up(): Promise<void> {
    return this.back.promise;
  }

  close(): void {
    void this.statuses.return?.();
    this.back.resolve();
  }

  private async watch(): Promise<void> {
    for (let next = await this.statuses.next(); !next.done; next = await this.statuses.next()) {
      const { type } = next.value;
      if (type === 'disconnect') {
        // An attempt that dies on its way says so, too: whoever waits for the connection must not be left with a promise that nobody keeps.
        if (!this.interruption.signal.aborted) this.back = Promise.withResolvers();
        this.interruption.abort();
      } else if (type === 'reconnect') {
        this.interruption = new AbortController();
        this.back.resolve();
      } else if (type === 'close') {
        this.interruption.abort();
        this.back.resolve();
      }
    }
  }
}
