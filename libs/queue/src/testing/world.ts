import type { QueueDepth, QueueProvider } from '../queue-provider';
import type { QueueDefinition } from '../queues';

/** `advance` lets time pass, for due times and for the queue's clock; `crash` is what is found of jobs whose process died. */
export type QueueUnderTest = {
  readonly queue: QueueProvider;
  now(): Date;
  advance(ms: number): Promise<void>;
  crash(): Promise<void>;
  close(): Promise<void>;
};
export type OpenQueue = (queues: readonly QueueDefinition[]) => Promise<QueueUnderTest>;

/** One opened queue for many specs, each with a queue name of its own. */
export type World = { readonly opened: () => QueueUnderTest; readonly open: OpenQueue; newQueue(): string };

export const depthOf = async ({ queue }: { readonly queue: Pick<QueueProvider, 'depths'> }, name: string): Promise<QueueDepth> =>
  (await queue.depths()).find((each) => each.queue === name)!;
