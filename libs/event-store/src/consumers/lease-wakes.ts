import type { Client } from 'pg';

/** Carries the name of a consumer whose leases may be worth a look. */
export const LEASE_CHANNEL = 'es_lease';

/**
 * Tells at once when a lease was given back. Only a shortcut: whoever waits also tries by the clock, so a listener that is cut off, or
 * sits behind a transaction pooler where LISTEN has no effect, costs at most a third of a lease's time.
 */
export class LeaseWakes {
  private readonly listeners = new Map<string, Set<() => void>>();
  private client: Client | undefined;
  private closed = false;

  /** `client` makes a new, unconnected client. */
  constructor(private readonly newClient: () => Client) {}

  on(name: string, listener: () => void): () => void {
    const listeners = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, listeners.add(listener));
    this.listen();
    return () => listeners.delete(listener) && listeners.size === 0 && this.listeners.delete(name);
  }

  /** Connects if there is no connection. Never fails: the clock is the fallback, and the next call tries again. */
  listen(): void {
    if (this.client || this.closed) return;
    const client = (this.client = this.newClient());
    const forget = () => {
      if (this.client === client) this.client = undefined;
    };
    client.on('error', forget).on('end', forget);
    client.on('notification', ({ payload }) => this.listeners.get(payload ?? '')?.forEach((wake) => wake()));
    client
      .connect()
      .then(() => client.query(`LISTEN ${LEASE_CHANNEL}`))
      .catch(forget);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.client?.end().catch(() => undefined);
  }
}
