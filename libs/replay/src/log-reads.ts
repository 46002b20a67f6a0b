import type { EventStore } from '@app/event-store';

/** The log as a replay sees it. There is nothing in this type that appends, follows or waits: whatever is built on it cannot act. */
export type LogReads = Pick<EventStore, 'read' | 'readAll' | 'head' | 'versions'>;
