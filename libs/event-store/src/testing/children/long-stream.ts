import type { Connection } from '@app/database';
import { input, open, tell } from './open';

/** Reads a whole stream, and tells what it took. */
const { connection, streamId } = input<{ connection: Connection; streamId: string }>();
const store = await open(connection);
let events = 0;
let inOrder = true;
for await (const { version } of store.read(streamId)) inOrder &&= version === ++events;
tell({ events, inOrder, limits: process.execArgv });
await store.close();
