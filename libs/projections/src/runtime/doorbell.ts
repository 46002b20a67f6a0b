import type { Connection } from '@app/database';
import { Client } from 'pg';

/**
 * Listens for announcements on its own connection. Hearing one is a courtesy: a listener can be dead without knowing it, so whoever
 * uses it also looks by himself now and then, and calls `ensure` when he does.
 */
export class Doorbell {
  private client: Client | undefined;
  private closed = false;

  constructor(private readonly connection: Connection, private readonly channel: string, private readonly ring: () => void) {}

  /** Connects if there is no connection, and makes sure that the one there is still answers. Never rejects. */
  async ensure(): Promise<void> {
    try {
      if (this.client) return void (await this.client.query('SELECT 1'));
      const client = new Client({ ...this.connection, keepAlive: true, query_timeout: 5_000, application_name: 'projections doorbell' });
      client.on('error', () => this.drop(client));
      client.on('notification', this.ring);
      await client.connect();
      await client.query(`LISTEN ${this.channel}`);
      if (this.closed) return void (await client.end());
      this.client = client;
    } catch {
      if (this.client) this.drop(this.client);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.client?.end();
    this.client = undefined;
  }

  private drop(client: Client) {
    if (this.client === client) this.client = undefined;
    client.end().catch(() => undefined);
  }
}
