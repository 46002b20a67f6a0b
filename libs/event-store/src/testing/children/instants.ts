import type { Connection } from '@app/database';
import { command, input, note, open, tell } from './open';

/** Stores events at given instants, and tells in which time zone it did so and what it reads back. */
const { connection, streamId, instants } = input<{ connection: Connection; streamId: string; instants: readonly string[] }>();
const store = await open(connection);
for (const instant of instants) {
  const result = await store.append([{ streamId, expected: 'any', events: [note(instant)] }], [], command(new Date(instant)));
  if (!result.ok) throw new Error(JSON.stringify(result));
}
const read: string[] = [];
for await (const { occurredAt } of store.read(streamId)) read.push(occurredAt);
tell({ zone: Intl.DateTimeFormat().resolvedOptions().timeZone, read });
await store.close();
