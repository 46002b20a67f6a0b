import { setTimeout as sleep } from 'node:timers/promises';
import { Processes, urlOf, type ReadyProcess } from '../e2e/processes';
import { ADMIN_KEY } from '../e2e/server';
import type { ChaosDatabase } from './database';
import { Line } from './line';

export type Kind = 'gateway' | 'worker';

/** A server that finds its database just starting ends with a word about it, and whoever runs it starts it again. */
const START_MS = 300_000;
const READY = /Agent Harness is ready at (\S+)|Ready: worker/;
const PAUSE_MS = 200;

/** One place where a process runs, and another one after it was killed. */
export class Post {
  process: ReadyProcess | undefined;
  private starting: Promise<void> | undefined;

  constructor(readonly kind: Kind, private readonly processes: Processes, private readonly environment: Readonly<Record<string, string>>, private readonly folder: string) {}

  get url(): string | undefined {
    return this.process?.url;
  }

  get isUp(): boolean {
    return this.process !== undefined;
  }

  /** Tries again when the database is away just then. */
  start(): Promise<void> {
    return (this.starting ??= this.launch().finally(() => (this.starting = undefined)));
  }

  async end(how: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const { process: running } = this;
    this.process = undefined;
    if (!running) return null;
    return (await (how === 'SIGKILL' ? running.kill() : running.stop())).code;
  }

  private async launch(): Promise<void> {
    for (const giveUp = performance.now() + START_MS; ; await sleep(PAUSE_MS)) {
      const launched = await this.processes.launch({ PORT: '0', ...this.environment }, this.folder);
      try {
        const [, url = ''] = await launched.untilPrinted(READY, START_MS);
        this.process = { ...launched, url };
        return;
      } catch (error) {
        await launched.kill();
        if (performance.now() > giveUp) throw error;
      }
    }
  }
}

/** Gateways and workers on one database; one gateway and one worker reach it by a line that can be cut. */
export class Fleet {
  private constructor(private readonly processes: Processes, readonly posts: readonly Post[], readonly line: Line) {}

  static async start(database: ChaosDatabase, natsUrl: string): Promise<Fleet> {
    const processes = new Processes();
    const line = await Line.to(database.connection);
    const common = { HARNESS_BOOTSTRAP_KEY: ADMIN_KEY, HARNESS_MASTER_KEY: 'ab'.repeat(32), LOG_LEVEL: 'error', NATS_URL: natsUrl, NODE_COMPILE_CACHE: processes.directory(), HARNESS_DATA_DIR: processes.directory() };
    const post = (kind: Kind, url: string) => new Post(kind, processes, { ...common, HARNESS_ROLES: kind, DATABASE_URL: url, ...(kind === 'worker' && { LOG_LEVEL: 'log' }) }, processes.directory());
    const [straight, byLine] = [urlOf(database.connection), line.url(database.connection)];
    const posts = [post('gateway', straight), post('gateway', byLine), post('worker', byLine), post('worker', straight)];
    const fleet = new Fleet(processes, posts, line);
    // The first one migrates and makes the site; the others find both.
    await posts[0]!.start();
    await Promise.all(posts.slice(1).map((each) => each.start()));
    return fleet;
  }

  urls = (): readonly string[] => this.posts.flatMap(({ url }) => url || []);

  get isWhole(): boolean {
    return this.posts.every(({ isUp }) => isUp);
  }

  up = (kind: Kind): readonly Post[] => this.posts.filter((post) => post.kind === kind && post.isUp);

  async close(): Promise<void> {
    await this.processes.cleanUp();
    await this.line.close();
  }
}
