import type { Connection } from '@app/database';
import { PostgresEventStore, type NewEvent, type PostgresEventStoreOptions } from '@app/event-store';
import type { Context, Recorded } from '@app/kernel';
import { context } from '@app/kernel/testing';
import { Pool, types } from 'pg';
import { testDatabase } from '../../../../test/database';
import { ProjectionsControl } from '../control';
import { migrateProjections } from '../migrate';
import type { AnyProjection } from '../projection';
import { ProjectionsRuntime, type ProjectionsRuntimeOptions } from '../runtime/runtime';
import type { ProjectionAlarm } from '../runtime/workers';
import { shapeOf } from '../table/shape';
import { ALL, catalogue } from './tasks';

/** Asks until the answer is yes; fails with the last answer when it takes too long. */
export const eventually = async <T>(question: () => Promise<T> | T, isRight: (answer: T) => boolean, timeoutMs = 20_000): Promise<T> => {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await question();
    if (isRight(answer)) return answer;
    if (Date.now() > deadline)
      throw new Error(`Still ${JSON.stringify(answer, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

const SITE = 'site-a';
let commands = 0;
const command = (overrides: Partial<Context> = {}) =>
  context({ siteId: SITE, commandId: `cmd-${++commands}-${process.pid}`, ...overrides });

/** One database with a log, projections and their operator: what every spec of the runtime stands on. */
export class ProjectionBench {
  readonly alarms: ProjectionAlarm[] = [];
  readonly errors: unknown[] = [];
  private readonly runtimes = new Set<ProjectionsRuntime>();
  private readonly controls: ProjectionsControl[] = [];

  private constructor(
    readonly connection: Connection & { readonly database: string },
    readonly store: PostgresEventStore,
    readonly pool: Pool,
    private readonly drop: () => Promise<void>,
  ) {}

  static async open(options: Partial<PostgresEventStoreOptions> = {}): Promise<ProjectionBench> {
    const { drop, ...connection } = await testDatabase();
    const exact = { getTypeParser: (oid: number) => (oid === 20 ? BigInt : types.getTypeParser(oid)) as never };
    const pool = new Pool({ ...connection, types: exact });
    // Dropping the database at the end may reach a connection before its own goodbye.
    pool.on('error', () => undefined);
    const client = await pool.connect();
    await migrateProjections(client);
    client.release();
    const store = await new PostgresEventStore({ connection, catalogue, ...options }).start();
    return new ProjectionBench(connection, store, pool, drop);
  }

  async close(): Promise<void> {
    for (const runtime of [...this.runtimes]) await this.end(runtime);
    for (const control of this.controls) await control.close();
    await this.store.close();
    await this.pool.end();
    await this.drop();
  }

  async runtime(
    projections: readonly AnyProjection[] = ALL,
    options: Partial<ProjectionsRuntimeOptions> = {},
  ): Promise<ProjectionsRuntime> {
    const runtime = new ProjectionsRuntime({
      connection: this.connection,
      store: this.store,
      projections,
      onAlarm: (alarm) => this.alarms.push(alarm),
      onError: (error) => this.errors.push(error),
      ...options,
    });
    this.runtimes.add(runtime);
    await runtime.start();
    return runtime;
  }

  async end(runtime: ProjectionsRuntime): Promise<void> {
    if (this.runtimes.delete(runtime)) await runtime.stop();
  }

  control(projections: readonly AnyProjection[] = ALL): ProjectionsControl {
    const control = new ProjectionsControl({ connection: this.connection, store: this.store, projections });
    this.controls.push(control);
    return control;
  }

  async append(streamId: string, ...events: readonly NewEvent[]): Promise<bigint> {
    const result = await this.store.append([{ streamId, expected: 'any', events }], [], command());
    if (!result.ok) throw new Error(JSON.stringify(result));
    return result.position;
  }

  /** Many events of one stream in few transactions. */
  async appendMany(streamIds: readonly string[], eventsOf: (streamId: string) => readonly NewEvent[]): Promise<void> {
    for (let from = 0; from < streamIds.length; from += 500) {
      const writes = streamIds
        .slice(from, from + 500)
        .map((streamId) => ({ streamId, expected: 'any' as const, events: eventsOf(streamId) }));
      const result = await this.store.append(writes, [], command());
      if (!result.ok) throw new Error(JSON.stringify(result));
    }
  }

  async log(): Promise<readonly Recorded[]> {
    const all: Recorded[] = [];
    for await (const page of this.store.readAll(0n)) all.push(...page);
    return all;
  }

  async rows(p: AnyProjection, table = p.name): Promise<ReadonlyMap<string, unknown>> {
    const { rows } = await this.pool.query<Record<string, unknown>>(`SELECT * FROM "${table}"`);
    return new Map(
      rows.map((row) => [String(row['id']), Object.fromEntries(shapeOf(p).columns.map(({ field, name }) => [field, row[name]]))]),
    );
  }

  /** The stored position of what serves. */
  async position(p: { readonly name: string }): Promise<bigint> {
    const { rows } = await this.pool.query<{ position: bigint }>(
      `SELECT position FROM es_projection WHERE name = $1 AND role = 'serving'`,
      [p.name],
    );
    return rows[0]?.position ?? -1n;
  }

  /** Waits until every projection has stored the head of the log. */
  async settled(projections: readonly AnyProjection[] = ALL, timeoutMs?: number): Promise<bigint> {
    const head = await this.store.head();
    for (const p of projections)
      await eventually(
        () => this.position(p),
        (position) => position >= head,
        timeoutMs,
      );
    return head;
  }
}
