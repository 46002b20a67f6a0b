import { Catalogue, eventFamily, type EventOf, type Recorded } from '@app/kernel';
import { z } from 'zod';
import { project, projection, rowIdsOf, type AnyProjection, type Projection, type Row } from '../projection';

/** A small domain for specs: tasks that are opened, moved between people, measured and dropped. */
const taskEvents = eventFamily('task', {
  TaskOpened: z.strictObject({ title: z.string(), tags: z.array(z.string()), size: z.number() }),
  TaskAssigned: z.strictObject({ to: z.string().nullable() }),
  TaskMeasured: z.strictObject({ size: z.number(), details: z.json() }),
  TaskDropped: z.strictObject({}),
});
const noteEvents = eventFamily('note', { NoteWritten: z.strictObject({ text: z.string() }) });

export const catalogue = new Catalogue(taskEvents, noteEvents);
export type TaskEvent = EventOf<typeof taskEvents>;

export type TaskRow = Row & {
  readonly title: string;
  readonly tags: readonly string[];
  readonly size: number;
  readonly weight: bigint;
  readonly isAssigned: boolean;
  readonly assignee: string | null;
  readonly details: unknown;
  readonly moves: number;
};

/** Every column type. `weight` lies beyond 2^53, where a number would be rounded. */
export const tasks = projection<TaskRow, TaskEvent>({
  name: 'tasks',
  version: 1,
  columns: {
    title: 'text',
    tags: 'text[]',
    size: 'double precision',
    weight: 'bigint',
    isAssigned: 'boolean',
    assignee: 'text',
    details: 'jsonb',
    moves: 'integer',
  },
  indexes: [['assignee'], ['title']],
  on: {
    TaskOpened: (_row, { data, siteId }, id) => ({
      id,
      siteId,
      ...data,
      weight: 9_007_199_254_740_993n,
      isAssigned: false,
      assignee: null,
      details: null,
      moves: 0,
    }),
    TaskAssigned: (row, { data: { to } }) => row && { ...row, assignee: to, isAssigned: to !== null, moves: row.moves + 1 },
    TaskMeasured: (row, { data }) => row && { ...row, ...data, weight: row.weight + 1n },
    TaskDropped: () => null,
  },
});

export type LoadRow = Row & { readonly open: number; readonly last: string };

/** One event touches two rows: that of the person and that of the whole site. */
export const load = projection<LoadRow, TaskEvent>({
  name: 'task_load',
  version: 1,
  columns: { open: 'integer', last: 'text' },
  rowIds: (event) => ['everybody', event.type === 'TaskAssigned' && event.data.to !== null ? event.data.to : 'nobody'],
  on: {
    TaskAssigned: (row, { siteId, occurredAt }, id) => ({ id, siteId, open: (row?.open ?? 0) + 1, last: occurredAt }),
    TaskDropped: (row, { siteId, occurredAt }, id) =>
      row && row.open <= 1 ? null : { id, siteId, open: (row?.open ?? 2) - 1, last: occurredAt },
  },
});

export type ActivityRow = Row & { readonly what: string; readonly who: string; readonly at: string };

/** A row per event of every kind, but none for dropped tasks. */
export const activity = projection<ActivityRow, TaskEvent>({
  name: 'activity',
  version: 1,
  columns: { what: 'text', who: 'text', at: 'text' },
  rowIds: (event) => [event.eventId],
  on: { TaskDropped: (row) => row },
  any: (_row, { siteId, type, metadata, occurredAt }, id) => ({ id, siteId, what: type, who: metadata.actor.id, at: occurredAt }),
});

export const ALL: readonly AnyProjection[] = [tasks, load, activity];

/** The next version of a projection: titles in capitals, so that old and new rows can be told apart. */
export const shouting: AnyProjection = {
  ...(tasks as unknown as AnyProjection),
  version: 2,
  on: {
    ...tasks.on,
    TaskOpened: (row, event, id) => {
      const opened = tasks.on.TaskOpened!(row as TaskRow | null, event as never, id)!;
      return { ...opened, title: opened.title.toUpperCase() } as TaskRow;
    },
  } as AnyProjection['on'],
};
/** What a read model must hold: the plain fold of the whole log, by row id, with the position of the last event that changed the row. */
export const foldOf = (p: AnyProjection, events: readonly Recorded[]): ReadonlyMap<string, Row & { readonly position: bigint }> => {
  const typed = p as unknown as Projection<Row, Recorded>;
  const rows = new Map<string, Row & { position: bigint }>();
  for (const event of events as readonly Recorded<Recorded>[]) {
    for (const id of new Set(rowIdsOf(typed, event))) {
      const before = rows.get(id) ?? null;
      const row = project(typed, before, event, id);
      if (row === null) rows.delete(id);
      else if (row !== before) rows.set(id, { ...row, position: event.position });
    }
  }
  return rows;
};
