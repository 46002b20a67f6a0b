import { conflictOf } from '../conflict';
import type { Appended, AppendResult } from '../event-store';
import type { PreparedCommand } from '../prepare';

const SEPARATOR = '\u001f';

/** The parameters of `es_append`, all of them text: lists of texts joined by U+001F, lists of numbers as array literals. */
export const parametersOf = (commands: readonly PreparedCommand[]): (string | null)[] => {
  const writeCommand: number[] = [], streams: string[] = [], expected: number[] = [], counts: number[] = [];
  const guardCommand: number[] = [], guardStreams: string[] = [], guardVersions: number[] = [];
  const eventWrite: number[] = [], eventOffset: number[] = [], eventIds: string[] = [], types: string[] = [], schemaVersions: number[] = [], data: string[] = [];
  commands.forEach(({ writes, guards }, command) => {
    for (const { streamId, expected: wanted, events } of writes) {
      writeCommand.push(command + 1);
      streams.push(streamId);
      expected.push(wanted === 'any' ? -1 : wanted === 'none' ? 0 : wanted);
      counts.push(events.length);
      events.forEach((event, offset) => {
        eventWrite.push(streams.length);
        eventOffset.push(offset + 1);
        eventIds.push(event.eventId);
        types.push(event.type);
        schemaVersions.push(event.schemaVersion);
        data.push(event.data);
      });
    }
    for (const { streamId, version } of guards) {
      guardCommand.push(command + 1);
      guardStreams.push(streamId);
      guardVersions.push(version);
    }
  });
  return [
    texts(commands.map(({ siteId }) => siteId)), list(commands.map(({ occurredMs }) => occurredMs)), texts(commands.map(({ occurredAt }) => occurredAt)),
    texts(commands.map(({ metadata }) => metadata)), commands.some(({ key }) => key !== null) ? texts(commands.map(({ key }) => key ?? '')) : null,
    list(writeCommand), texts(streams), list(expected), list(counts),
    list(guardCommand), texts(guardStreams), list(guardVersions),
    list(eventWrite), list(eventOffset), list(eventIds), texts(types), list(schemaVersions), texts(data),
  ];
};

const texts = (values: readonly string[]) => values.join(SEPARATOR);
const list = (values: readonly (number | string)[]) => `{${values.join(',')}}`;

/** The one row that `es_append` answers: head before the batch; per write its version before and the position before its first event. */
export type Verdicts = readonly [head: string, versions: string, starts: string, guarded: string | null, repeated: string | null];

/** One result per command, in order; `head` is the position of the last event after the batch. */
export const resultsOf = (commands: readonly PreparedCommand[], verdicts: Verdicts): { readonly results: readonly AppendResult[]; readonly head: bigint } => {
  const actual = verdicts[1].split(',');
  const starts = verdicts[2].split(',');
  const guarded = verdicts[3]?.split(',') ?? [];
  const repeated = new Map(
    ((JSON.parse(verdicts[4] ?? '[]')) as [number, string, string][]).map(([command, position, versions]) => [command - 1, { position, versions }]),
  );
  let head = BigInt(verdicts[0]);
  let write = 0;
  let guard = 0;
  const results = commands.map((command, i): AppendResult => {
    const firstWrite = write;
    const firstGuard = guard;
    write += command.writes.length;
    guard += command.guards.length;
    const before = repeated.get(i);
    if (before) return { ok: true, position: BigInt(before.position), versions: JSON.parse(before.versions) as Appended['versions'], repeated: true };
    if (starts[firstWrite] === '') return conflictOf(command, (at) => +actual[firstWrite + at]!, (at) => +guarded[firstGuard + at]!)!;
    const versions: Record<string, number> = {};
    command.writes.forEach(({ streamId, events }, at) => (versions[streamId] = +actual[firstWrite + at]! + events.length));
    head = BigInt(starts[write - 1]!) + BigInt(command.writes.at(-1)!.events.length);
    return { ok: true, position: head, versions, repeated: false };
  });
  return { results, head };
};
