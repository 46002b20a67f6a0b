import type { Connection } from '@app/database';
import { newEventId } from '../../ids';
import { command, input, note, open, tell } from './open';

/** Writers side by side: half of the appends go to a stream of the writer's own, half to one of few that all processes fight for. */
const { connection, writers, appends, shared } = input<{ connection: Connection; writers: number; appends: number; shared: readonly string[] }>();
const store = await open(connection);

const write = async (writer: number) => {
  const own = `note-${newEventId()}`;
  const known = new Map<string, number>();
  for (let i = 0; i < appends; i++) {
    const streamId = i % 2 === 0 ? own : shared[(writer + i) % shared.length]!;
    const events = [note(`${i}`), note(`${i}`)];
    const result = await store.append([{ streamId, expected: known.get(streamId) ?? 0, events }], [], command());
    if (result.ok) known.set(streamId, result.versions[streamId]!);
    else if (result.kind === 'conflict') known.set(streamId, result.actual);
    else throw new Error(JSON.stringify(result));
    if (result.ok) tell({ position: result.position, eventIds: events.map(({ eventId }) => eventId) });
  }
};

await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
await store.close();
