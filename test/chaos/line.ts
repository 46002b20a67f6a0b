import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Bytes that are in one statement and its parameters; all of them. */
export type Mark = readonly string[];
/** `before`: the database never gets the statement. `after`: it does, and its client never hears what became of it. */
export type Hold = { readonly when: 'before' | 'after'; readonly mark: Mark };

type Pair = { readonly client: Socket; readonly database: Socket; held: boolean };

/** The line between a server process and its database: it can be cut, slowed down, or held at an exact statement. */
export class Line {
  private readonly pairs = new Set<Pair>();
  private hold: { readonly asked: Hold; readonly reached: () => void } | undefined;
  private delayMs = 0;

  private constructor(private readonly server: Server, private readonly path: string) {
    server.on('connection', (client) => this.join(client));
  }

  /** To the Unix socket of a database. */
  static async to({ host, port }: { readonly host: string; readonly port: number }): Promise<Line> {
    const server = createServer({ noDelay: true });
    const line = new Line(server, `${host}/.s.PGSQL.${port}`);
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    return line;
  }

  url({ user, database }: { readonly user: string; readonly database: string }): string {
    return `postgres://${user}@127.0.0.1:${(this.server.address() as AddressInfo).port}/${database}`;
  }

  /** Ends every connection at once, whatever is on its way. */
  cut(): number {
    const count = this.pairs.size;
    for (const pair of this.pairs) this.end(pair);
    return count;
  }

  /** Every byte takes so much longer; 0 ends it. */
  slow(delayMs: number): void {
    this.delayMs = delayMs;
  }

  /** Resolves when a statement with all of these bytes has come by; the connection that brought it says nothing any more. */
  holdAt(asked: Hold): Promise<void> {
    return new Promise((reached) => (this.hold = { asked, reached }));
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((closed) => this.server.close(closed));
  }

  private join(client: Socket): void {
    const database = connect(this.path);
    const pair: Pair = { client, database, held: false };
    this.pairs.add(pair);
    let toDatabase: Promise<unknown> = Promise.resolve();
    let toClient: Promise<unknown> = Promise.resolve();
    client.on('data', (bytes) => {
      const delayMs = this.delayMs;
      toDatabase = toDatabase.then(async () => {
        if (delayMs) await sleep(delayMs);
        if (pair.held) return;
        const held = this.heldBy(bytes);
        if (held) pair.held = true;
        if (held?.asked.when !== 'before') database.write(bytes);
        if (!held) return;
        this.hold = undefined;
        // What was let through is committed before anybody is told: the answer that is kept back proves it.
        if (held.asked.when === 'after') database.once('data', held.reached);
        else held.reached();
      });
    });
    database.on('data', (bytes) => {
      const delayMs = this.delayMs;
      toClient = toClient.then(async () => {
        if (delayMs) await sleep(delayMs);
        if (!pair.held) client.write(bytes);
      });
    });
    for (const socket of [client, database]) socket.on('error', () => undefined).on('close', () => this.end(pair));
  }

  private heldBy(bytes: Buffer) {
    return this.hold?.asked.mark.every((text) => bytes.includes(text)) ? this.hold : undefined;
  }

  private end(pair: Pair): void {
    this.pairs.delete(pair);
    pair.client.destroy();
    pair.database.destroy();
  }
}
