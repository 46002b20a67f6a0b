import type { Connection } from '@app/database';
import type { EventStore } from '@app/event-store';
import { reject, type Rejected } from '@app/kernel';
import type { Pool } from 'pg';
import { SCHEMA_LOCK } from './migrate';
import type { AnyProjection } from './projection';
import { addGeneration, announce, discard, generationsOf, inTransaction, type Generation } from './runtime/generations';
import { durablePool } from './runtime/pool';
import { exchange, withLockRetry } from './runtime/swap';
import { verify, type Verified } from './runtime/verify';
import { statusOf, type ProjectionStatus } from './status';

type Done = { readonly ok: true } | Rejected;

export type ProjectionsControlOptions = {
  readonly connection: Connection;
  readonly store: EventStore;
  readonly projections: readonly AnyProjection[];
  readonly now?: () => Date;
};

const DONE: Done = { ok: true };

/**
 * What operators see of the projections and do to them, from any process: orders are rows in the database that the leading runtime
 * hears of at once. Every order that cannot be followed is refused with the reason.
 */
export class ProjectionsControl {
  private readonly pool: Pool;

  constructor(private readonly options: ProjectionsControlOptions) {
    this.pool = durablePool(options.connection, 2);
  }

  close = (): Promise<void> => this.pool.end();

  status = (): Promise<readonly ProjectionStatus[]> =>
    statusOf(this.pool, this.options.store, this.options.projections, this.options.now?.() ?? new Date());

  /** The read model stays as it is until `resume`; a rebuild under way pauses as well. */
  pause = (name: string): Promise<Done> => this.turn(name, 'running', 'paused', 'It is not running.');

  /** Goes on after `pause`, or tries again after a stop, for instance when the handler was repaired. */
  resume = (name: string): Promise<Done> => this.turn(name, 'not running', 'running', 'It is running already.');

  /** Starts a new generation beside the serving one; the runtime builds it and swaps it in. */
  rebuild = (name: string): Promise<Done> => this.rebuildEach([name]);

  /** Rebuilds all read models together: the log is read once for all of them. */
  rebuildAll = (): Promise<Done> => this.rebuildEach(this.options.projections.map((p) => p.name));

  /** Ends a running rebuild; what serves is not touched. */
  async cancel(name: string): Promise<Done> {
    const own = await this.generations(name);
    if (!own.ok) return own;
    const building = own.rows.find(({ role }) => role === 'building');
    if (!building) return conflict(`${name} is not being rebuilt.`);
    await inTransaction(this.pool, (client) => discard(client, building));
    return DONE;
  }

  /** Puts the generation back that served before the last swap. It goes on from where it was, with the code of its version. */
  async rollback(name: string): Promise<Done> {
    const own = await this.generations(name);
    if (!own.ok) return own;
    const kept = own.rows.findLast(({ role }) => role === 'kept');
    if (!kept) return conflict(`${name} has no earlier generation to go back to.`);
    const outcome = await withLockRetry(() => exchange(this.pool, name, kept, () => Promise.resolve('done')), AbortSignal.timeout(30_000));
    return outcome === 'done' ? DONE : conflict(`${name} was changed by somebody else meanwhile; look at its state and try again.`);
  }

  /** Passes over the one event that a projection is stopped at. Who did it and why stay on record. */
  async skip(name: string, position: bigint, reason: string, actor: string): Promise<Done> {
    if (reason.trim() === '')
      return reject('invalid', 'VALIDATION_FAILED', 'Say why this event may be passed over; the reason is recorded.');
    const own = await this.generations(name);
    if (!own.ok) return own;
    const stopped = own.rows.filter((each) => active(each) && each.state === 'stopped' && each.errorPosition === position);
    if (stopped.length === 0) return conflict(`${name} is not stopped at position ${position}.`);
    await inTransaction(this.pool, async (client) => {
      for (const { version, generation } of stopped) {
        await client.query(
          `INSERT INTO es_projection_skip (name, version, position, reason, actor) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
          [name, version, String(position), reason.trim(), actor],
        );
        await client.query(
          `UPDATE es_projection SET state = 'running', error = NULL, error_position = NULL
           WHERE name = $1 AND generation = $2 AND error_position = $3`,
          [name, generation, String(position)],
        );
      }
      await announce(client, name);
    });
    return DONE;
  }

  /** Every row that differs from what the log says, without touching or stopping anything. */
  async verify(name: string, signal = new AbortController().signal): Promise<({ readonly ok: true } & Verified) | Rejected> {
    const p = this.options.projections.find((each) => each.name === name);
    if (!p) return unknown(name);
    const verified = await verify(this.pool, this.options.store, p, signal);
    return verified
      ? { ok: true, ...verified }
      : conflict(`What serves ${name} was not built by version ${p.version}; wait for its rebuild.`);
  }

  private async rebuildEach(names: readonly string[]): Promise<Done> {
    const head = await this.options.store.head();
    return inTransaction(this.pool, async (client) => {
      await client.query(SCHEMA_LOCK);
      const rows = await generationsOf(client, names);
      for (const name of names) {
        const p = this.options.projections.find((each) => each.name === name);
        const own = rows.filter((row) => row.name === name);
        if (!p || own.length === 0) return unknown(name);
        if (own.some(({ role }) => role === 'building')) {
          if (names.length > 1) continue;
          return conflict(`${name} is being rebuilt already.`);
        }
        await addGeneration(client, p, 'building', head);
      }
      return DONE;
    });
  }

  private async turn(name: string, from: 'running' | 'not running', to: Generation['state'], otherwise: string): Promise<Done> {
    const own = await this.generations(name);
    if (!own.ok) return own;
    return inTransaction(this.pool, async (client) => {
      const { rowCount } = await client.query(
        `UPDATE es_projection SET state = $2, error = NULL, error_position = NULL
         WHERE name = $1 AND role IN ('serving', 'building') AND (state = 'running') = $3`,
        [name, to, from === 'running'],
      );
      await announce(client, name);
      return rowCount ? DONE : conflict(otherwise);
    });
  }

  private async generations(name: string): Promise<{ readonly ok: true; readonly rows: readonly Generation[] } | Rejected> {
    const rows = await generationsOf(this.pool, [name]);
    return rows.length > 0 ? { ok: true, rows } : unknown(name);
  }
}

const active = ({ role }: Generation) => role === 'serving' || role === 'building';
const conflict = (detail: string) => reject('conflict', 'CONFLICT', detail);
const unknown = (name: string) => reject('missing', 'NOT_FOUND', `There is no projection ${name}.`);
