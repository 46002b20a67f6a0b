import { categoryOf, type Catalogue, type Context, type Metadata, type Problem } from '@app/kernel';
import { canonicalJson } from './chain/canonical';
import type { ExpectedVersion, Guard, NewEvent, StreamWrite } from './event-store';
import { newEventId } from './ids';
import type { PayloadSealer } from './sealing/payload-sealer';

export type PreparedEvent = { readonly eventId: string; readonly type: string; readonly schemaVersion: number; readonly data: string };
export type PreparedWrite = { readonly streamId: string; readonly expected: ExpectedVersion; readonly events: readonly PreparedEvent[] };

/** A checked command in the form the log stores: canonical JSON, ids given. `key` is its command id if it may be sent again, else null. */
export type PreparedCommand = {
  readonly siteId: string;
  readonly occurredMs: number;
  readonly occurredAt: string;
  readonly metadata: string;
  readonly key: string | null;
  readonly writes: readonly PreparedWrite[];
  readonly guards: readonly Guard[];
  readonly bytes: number;
};

export type Prepared = { readonly ok: true; readonly command: PreparedCommand } | { readonly ok: false; readonly kind: 'invalid'; readonly problems: readonly Problem[] };

const DEFAULT_MAX_EVENT_BYTES = 1024 * 1024;
const MAX_COMMAND_LENGTH = 16 * 1024 * 1024;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** What JSON would have to escape: an id without it stands in canonical JSON as it is, also when SQL writes that JSON. */
const NEEDS_ESCAPE = /["\\\u0000-\u001f]/;
const ESCAPED_NUL = /(?<!\\)(?:\\\\)*\\u0000/;
const MAX_ID_LENGTH = 512;

/** Checks and serialises commands before they are queued: what is queued can be stored, unless the database itself fails. */
export class CommandPreparer {
  private readonly categories: ReadonlyMap<string, string>;

  constructor(
    private readonly catalogue: Catalogue,
    private readonly maxEventBytes = DEFAULT_MAX_EVENT_BYTES,
    private readonly sealer?: PayloadSealer,
  ) {
    this.categories = new Map(catalogue.all().map(({ type, category }) => [type, category]));
  }

  prepare(writes: readonly StreamWrite[], guards: readonly Guard[], context: Context): Prepared {
    const problems: Problem[] = [];
    if (writes.length === 0 || writes.some(({ events }) => events.length === 0)) problems.push({ path: '', message: 'A write has at least one event' });
    if (new Set(writes.map(({ streamId }) => streamId)).size < writes.length) problems.push({ path: '', message: 'Each stream can be written once per append' });
    this.checkId(context.siteId, '/siteId', problems);
    const prepared = writes.map((write) => this.write(write, context, problems));
    guards.forEach(({ streamId, version }, i) => {
      this.checkStreamId(streamId, `/guards/${i}/streamId`, problems);
      if (!isVersion(version)) problems.push({ path: `/guards/${i}/version`, message: 'A version is a whole number from 0 on' });
    });
    const metadata = this.canonical(metadataOf(context), '/metadata', problems);
    if (Number.isNaN(context.now.getTime())) problems.push({ path: '/occurredAt', message: 'The time of the command is not a time' });
    const bytes = prepared.reduce((sum, { events }) => events.reduce((of, { data }) => of + data.length + metadata.length, sum), 0);
    if (bytes > MAX_COMMAND_LENGTH) problems.push({ path: '', message: `One append holds at most ${MAX_COMMAND_LENGTH} characters of events, this one has ${bytes}` });
    if (problems.length > 0) return { ok: false, kind: 'invalid', problems };
    return {
      ok: true,
      command: {
        siteId: context.siteId, occurredMs: context.now.getTime(), occurredAt: context.now.toISOString(), metadata,
        key: context.repeatable ? context.commandId : null, writes: prepared, guards, bytes,
      },
    };
  }

  private write({ streamId, expected, events }: StreamWrite, context: Context, problems: Problem[]): PreparedWrite {
    this.checkStreamId(streamId, '/streamId', problems);
    if (expected !== 'any' && expected !== 'none' && !isVersion(expected)) {
      problems.push({ path: '/expected', message: 'An expected version is a whole number from 0 on, `none` or `any`' });
    }
    const category = categoryOf(streamId);
    return { streamId, expected, events: events.map((event) => this.event(event, streamId, category, context, problems)) };
  }

  private event(event: NewEvent, streamId: string, category: string, context: Context, problems: Problem[]): PreparedEvent {
    const { type, data, eventId = newEventId(), schemaVersion = this.catalogue.versionOf(type) ?? 0 } = event;
    const before = problems.length;
    problems.push(...this.catalogue.problems(event, schemaVersion));
    const home = this.categories.get(type);
    if (home !== undefined && home !== category) problems.push({ path: '/streamId', message: `${type} belongs to a stream ${home}-<id>, not to ${category}-<id>` });
    if (event.eventId !== undefined && !UUID_V7.test(eventId)) problems.push({ path: '/eventId', message: 'An event id is a lower-case UUIDv7' });
    if (problems.length > before) return { eventId, type, schemaVersion, data: '' };
    const json = (value: unknown) => this.canonical(value, '/data', problems);
    return { eventId, type, schemaVersion, data: this.sealer?.seal(event, streamId, context, json) ?? json(data) };
  }

  private canonical(value: unknown, path: string, problems: Problem[]): string {
    try {
      const text = canonicalJson(value);
      if (text.includes('\\u0000') && ESCAPED_NUL.test(text)) problems.push({ path, message: 'The text contains a NUL character' });
      // A UTF-16 unit takes at most three bytes, so that most texts need not be measured.
      if (text.length * 3 > this.maxEventBytes && Buffer.byteLength(text) > this.maxEventBytes) {
        problems.push({ path, message: `An event holds at most ${this.maxEventBytes} bytes, this one has ${Buffer.byteLength(text)}` });
      }
      return text;
    } catch (error) {
      problems.push({ path, message: error instanceof Error ? error.message : String(error) });
      return '';
    }
  }

  private checkStreamId(streamId: string, path: string, problems: Problem[]) {
    const dash = streamId.indexOf('-');
    if (dash < 1 || dash === streamId.length - 1) problems.push({ path, message: 'A stream id has the form <category>-<id>' });
    this.checkId(streamId, path, problems);
  }

  private checkId(id: string, path: string, problems: Problem[]) {
    if (id === '' || id.length > MAX_ID_LENGTH || NEEDS_ESCAPE.test(id) || !id.isWellFormed()) {
      problems.push({ path, message: `An id has 1 to ${MAX_ID_LENGTH} characters, without control characters, quotation marks, backslashes or half surrogate pairs` });
    }
  }
}

const isVersion = (version: number) => Number.isSafeInteger(version) && version >= 0;

const metadataOf = ({ actor, correlationId, causationId, commandId, traceparent, runId, goalId }: Context): Metadata => ({
  actor: { kind: actor.kind, id: actor.id, ...(actor.role !== undefined && { role: actor.role }), ...(actor.userId !== undefined && { userId: actor.userId }) },
  correlationId,
  ...(causationId !== undefined && { causationId }),
  commandId,
  ...(traceparent !== undefined && { traceparent }),
  ...(runId !== undefined && { runId }),
  ...(goalId !== undefined && { goalId }),
});
