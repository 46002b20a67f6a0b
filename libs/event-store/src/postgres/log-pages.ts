import type { Pool } from 'pg';
import type { Catalogue, Recorded } from '@app/kernel';
import { LogGap, StoreUnavailable } from '../errors';
import type { Appended, EventFilter } from '../event-store';
import type { LogPage, LogSource, PageRequest } from '../log-source';
import type { PayloadSealer } from '../sealing/payload-sealer';
import { bytesOf, EVENT_COLUMNS, recordedFrom, type EventRow } from './row';

/** A page ends early when its data passes this size. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;
/** Positions that one filtered statement looks at: short enough to be given up between two, long enough that a rare match is found fast. */
const FILTER_WINDOW = 20_000n;

type Row = readonly [head: string, full: string | null, ...event: EventRow];
export type StreamPage = { readonly events: readonly Recorded[]; readonly last: boolean };

/** Reads the log by key ranges. A page and the head it is measured against come from one statement, so no commit can slip between. */
export class LogPages implements LogSource {
  private readonly recorded: (row: EventRow) => Recorded;

  constructor(
    private readonly pool: Pool,
    private readonly catalogue: Catalogue,
    private readonly sealer?: PayloadSealer,
  ) {
    this.recorded = recordedFrom(catalogue);
  }

  async page({ after, limit, upTo, filter }: PageRequest): Promise<LogPage> {
    const { name, text, values } = pageStatement(filter);
    const isFiltered = values.length > 0;
    const lastInWindow = isFiltered && filter?.streamId === undefined ? after + FILTER_WINDOW : null;
    const rows = await this.ask<Row>(name, text, [String(after), upTo === undefined ? null : String(upTo), lastInWindow && String(lastInWindow), limit, ...values]);
    const head = BigInt(rows[0]![0]);
    const { events, bytes, full } = this.eventsOf(rows, limit);
    const ceiling = [head, upTo, lastInWindow].reduce<bigint>((least, bound) => (typeof bound === 'bigint' && bound < least ? bound : least), head);
    const reached = full ? events.at(-1)!.position : ceiling > after ? ceiling : after;
    if (!isFiltered) refuseGaps(after, events, reached);
    return { events: await this.opened(events), reached, head, bytes };
  }

  async streamPage(streamId: string, fromVersion: number, limit: number): Promise<StreamPage> {
    const rows = await this.ask<Row>('stream-page', STREAM_PAGE, [streamId, fromVersion, limit]);
    const { events } = this.eventsOf(rows, limit);
    return { events: await this.opened(events), last: events.length === 0 || events.at(-1)!.version >= +rows[0]![0] };
  }

  async head(): Promise<bigint> {
    const rows = await this.ask<[string]>('log-head', `SELECT ${HEAD}`, []);
    return BigInt(rows[0]![0]);
  }

  async versions(streamIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.ask<[string, string]>('stream-versions', 'SELECT stream_id, version FROM es_stream WHERE stream_id = ANY($1)', [streamIds]);
    return new Map(rows.map(([streamId, version]) => [streamId, +version]));
  }

  async resultOf(commandId: string): Promise<Appended | null> {
    const rows = await this.ask<[string, string]>('command-recorded', 'SELECT position, versions FROM es_command WHERE command_id = $1', [commandId]);
    const row = rows[0];
    return row ? { ok: true, position: BigInt(row[0]), versions: JSON.parse(row[1]) as Record<string, number>, repeated: true } : null;
  }

  /** `full` tells that the page ended at its limit of rows or bytes, so that there may be more. */
  private eventsOf(rows: readonly Row[], limit: number) {
    const events: Recorded[] = [];
    let bytes = 0;
    for (const [, , ...row] of rows) {
      if (row[0] === null) break;
      events.push(this.recorded(row));
      bytes += bytesOf(row);
    }
    return { events, bytes, full: events.length === limit || rows.at(-1)![1] === 't' };
  }

  private async opened(events: readonly Recorded[]): Promise<readonly Recorded[]> {
    try {
      return this.sealer ? await this.sealer.open(events, this.catalogue) : events;
    } catch (error) {
      throw new StoreUnavailable(`What is sealed in the log cannot be opened: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private async ask<R extends readonly unknown[]>(name: string, text: string, values: readonly unknown[]): Promise<readonly R[]> {
    try {
      const { rows } = await this.pool.query<unknown[]>({ name, text, values: [...values], rowMode: 'array', types: AS_TEXT });
      return rows as unknown as readonly R[];
    } catch (error) {
      throw new StoreUnavailable(`The log cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

const HEAD = 'coalesce((SELECT last_position FROM es_batch ORDER BY first_position DESC LIMIT 1), 0)';

/** One row per event, or a row of NULLs when there is none: the ceiling comes along in any case. */
const pageOf = (ceiling: string, selection: string, order: string) => `
  SELECT c.ceiling, e.size >= ${MAX_PAGE_BYTES}, ${EVENT_COLUMNS}
  FROM (SELECT ${ceiling} AS ceiling) c LEFT JOIN LATERAL (
    SELECT *, sum(octet_length(data)) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) AS size
    FROM (SELECT ${EVENT_COLUMNS} FROM es_event WHERE ${selection}) page
  ) e ON e.size - octet_length(e.data) < ${MAX_PAGE_BYTES}
  ORDER BY ${order}`;

const STREAM_PAGE = pageOf(
  'coalesce((SELECT version FROM es_stream WHERE stream_id = $1), 0)',
  'stream_id = $1 AND version >= $2 AND version <= c.ceiling ORDER BY version LIMIT $3',
  'version',
);

/** `least` ignores the bounds that are NULL. Positions and versions of one stream rise together, so its index gives the order as well. */
const pageStatement = (filter: EventFilter = {}) => {
  const conditions: readonly (readonly [name: string, text: (parameter: string) => string, value: unknown])[] = [
    ['site', (parameter) => `site_id = ${parameter}`, filter.siteId],
    ['stream', (parameter) => `stream_id = ${parameter}`, filter.streamId],
    ['categories', (parameter) => `split_part(stream_id, '-', 1) = ANY (${parameter})`, filter.categories],
    ['types', (parameter) => `type = ANY (${parameter})`, filter.types],
  ];
  const given = conditions.filter(([, , value]) => value !== undefined);
  const order = filter.streamId === undefined ? 'position' : 'version';
  const selection = ['position > $1', 'position <= least(c.ceiling, $2::bigint, $3::bigint)', ...given.map(([, text], i) => text(`$${i + 5}`))].join(' AND ');
  return {
    name: ['log-page', ...given.map(([name]) => name)].join('-'),
    text: pageOf(HEAD, `${selection} ORDER BY ${order} LIMIT $4`, order),
    values: given.map(([, , value]) => value),
  };
};

const refuseGaps = (after: bigint, events: readonly Recorded[], reached: bigint) => {
  let last = after;
  for (const { position } of events) {
    if (position !== last + 1n) throw new LogGap(last + 1n, position);
    last = position;
  }
  if (last < reached) throw new LogGap(last + 1n, reached);
};

const AS_TEXT = { getTypeParser: () => (value: string) => value };
