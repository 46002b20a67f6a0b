import type { Pool, QueryResult, QueryResultRow } from 'pg';
import type { Connection, Database } from '../database';

/**
 * The database as seen by a process that dies at its n-th await point: before a statement is sent, or after it was carried out and before
 * the answer arrives. From then on nothing answers any more and every connection is cut, as it is when a process is killed.
 */
export class MortalDatabase implements Database {
  private readonly open = new Set<Connection>();
  private readonly death = Promise.withResolvers<void>();
  private points = 0;
  isDead = false;

  constructor(
    private readonly pool: Pool,
    private readonly diesAt: number,
  ) {}

  get died(): Promise<void> {
    return this.death.promise;
  }

  /** One await point; tests put more of them into their handlers. */
  async point(): Promise<void> {
    if (++this.points === this.diesAt) this.die();
    if (this.isDead) await new Promise<never>(() => undefined);
  }

  query<R extends QueryResultRow>(text: string, values?: unknown[]): Promise<QueryResult<R>> {
    return this.between(() => this.pool.query<R>(text, values));
  }

  async connect(): Promise<Connection> {
    const client = await this.between(async () => {
      const connection = await this.pool.connect();
      connection.on('error', ignore);
      this.open.add(connection);
      return connection;
    });
    return {
      query: <R extends QueryResultRow>(text: string, values?: unknown[]) => this.between(() => client.query<R>(text, values)),
      on: (event, listener) => client.on(event, listener),
      removeListener: (event, listener) => client.removeListener(event, listener),
      release: (destroy) => {
        if (!this.open.delete(client)) return;
        client.removeListener('error', ignore);
        client.release(destroy);
      },
    };
  }

  private async between<T>(work: () => Promise<T>): Promise<T> {
    await this.point();
    const result = work();
    result.catch(() => undefined);
    const answer = await result;
    await this.point();
    return answer;
  }

  private die() {
    this.isDead = true;
    for (const connection of this.open) connection.release(true);
    this.open.clear();
    this.death.resolve();
  }
}

const ignore = () => undefined;
