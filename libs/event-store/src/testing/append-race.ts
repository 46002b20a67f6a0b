import { expect } from '@jest/globals';
import type { Recorded } from '@app/kernel';
import type { AppendResult, EventStore, ExpectedVersion, Guard, StreamWrite } from '../event-store';
import { newEventId } from '../ids';
import { command, newStream, note } from './samples';

export type Step = {
  readonly streams: readonly number[];
  readonly expected: 'known' | 'none' | 'any' | 'stale';
  readonly events: number;
  readonly guard: number | null;
};
/** Clients that run side by side, each one step after the other. */
export type Program = readonly (readonly Step[])[];
export type Attempt = { readonly writes: readonly StreamWrite[]; readonly guards: readonly Guard[]; readonly result: AppendResult };

/** Runs all clients at once. What a client knows of a stream is what its own answers told it, so many expectations are outdated. */
export const runProgram = async (store: EventStore, clients: Program): Promise<readonly Attempt[]> => {
  const streams = Array.from({ length: 4 }, () => newStream());
  const run = async (steps: readonly Step[]) => {
    const known = new Map<string, number>();
    const attempts: Attempt[] = [];
    for (const step of steps) {
      const writes = step.streams.map((index) => {
        const streamId = streams[index]!;
        return { streamId, expected: expectedOf(step, known.get(streamId) ?? 0), events: Array.from({ length: step.events }, () => ({ ...note(), eventId: newEventId() })) };
      });
      const guards = step.guard === null ? [] : [{ streamId: streams[step.guard]!, version: known.get(streams[step.guard]!) ?? 0 }];
      const result = await store.append(writes, guards, command());
      if (result.ok) for (const [streamId, version] of Object.entries(result.versions)) known.set(streamId, version);
      else if (result.kind === 'conflict') known.set(result.streamId, result.actual);
      attempts.push({ writes, guards, result });
    }
    return attempts;
  };
  return (await Promise.all(clients.map(run))).flat();
};

const expectedOf = ({ expected }: Step, known: number): ExpectedVersion =>
  expected === 'known' ? known : expected === 'stale' ? known + 1 : expected;

/** Replays the log through a plain map of versions: every winner must have been right at its position, every loser wrong at some time. */
export const checkHistory = (start: bigint, attempts: readonly Attempt[], log: readonly Recorded[], head: bigint) => {
  expect(log.map(({ position }) => position)).toEqual(log.map((_, i) => start + BigInt(i + 1)));
  expect(head).toBe(start + BigInt(log.length));
  const winners = attempts.filter(({ result }) => result.ok);
  const sent = winners.flatMap(({ writes }) => writes.flatMap(({ events }) => events.map(({ eventId }) => eventId)));
  expect(log.map(({ eventId }) => eventId).sort()).toEqual(sent.sort());

  const byLastEvent = new Map(winners.map((attempt) => [attempt.writes.at(-1)!.events.at(-1)!.eventId, attempt]));
  const versions = new Map<string, number>();
  const at = (streamId: string) => versions.get(streamId) ?? 0;
  let mine: Recorded[] = [];
  for (const event of log) {
    mine.push(event);
    const attempt = byLastEvent.get(event.eventId);
    if (!attempt?.result.ok) continue;
    expect(mine.map(({ eventId }) => eventId)).toEqual(attempt.writes.flatMap(({ events }) => events.map(({ eventId }) => eventId)));
    for (const { streamId, version } of attempt.guards) expect(at(streamId)).toBe(version);
    for (const { streamId, expected } of attempt.writes) if (expected !== 'any') expect(at(streamId)).toBe(expected === 'none' ? 0 : expected);
    for (const { streamId, version } of mine) {
      expect(version).toBe(at(streamId) + 1);
      versions.set(streamId, version);
    }
    expect(attempt.result).toEqual({
      ok: true, position: event.position, repeated: false, versions: Object.fromEntries(attempt.writes.map(({ streamId }) => [streamId, at(streamId)])),
    });
    mine = [];
  }
  for (const { result } of attempts) {
    if (result.ok) continue;
    if (result.kind !== 'conflict') throw new Error(`An append ended with ${JSON.stringify(result)}`);
    expect(result.actual).not.toBe(result.expected === 'none' ? 0 : result.expected);
    expect(result.actual).toBeLessThanOrEqual(at(result.streamId));
  }
};
