import type { PreparedCommand } from '../prepare';

type Waiting = { readonly command: PreparedCommand };

/** A row of 4 MB keeps the parameters of one statement far from PostgreSQL's 1 GB and the pause for its neighbours short. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Takes commands from the front of the queue that can be judged against the log as it stands before the batch: each stream is written by
 * one of them, no guard looks at a stream that an earlier one writes, and a command id comes once. What has to wait keeps its place,
 * and holds back later writes to its streams, so nobody overtakes on a stream and nobody starves.
 */
export const nextBatch = <T extends Waiting>(queue: readonly T[], cap: number, maxBytes = MAX_BATCH_BYTES): { readonly batch: T[]; readonly rest: T[] } => {
  const batch: T[] = [];
  const rest: T[] = [];
  const written = new Set<string>();
  const keys = new Set<string>();
  let bytes = 0;
  for (let i = 0; i < queue.length; i++) {
    const entry = queue[i]!;
    const { writes, guards, key, bytes: size } = entry.command;
    if (batch.length >= cap || (batch.length > 0 && bytes + size > maxBytes)) {
      for (let left = i; left < queue.length; left++) rest.push(queue[left]!);
      break;
    }
    const free =
      writes.every(({ streamId }) => !written.has(streamId)) && guards.every(({ streamId }) => !written.has(streamId)) && (key === null || !keys.has(key));
    for (const { streamId } of writes) written.add(streamId);
    if (key !== null) keys.add(key);
    (free ? batch : rest).push(entry);
    if (free) bytes += size;
  }
  return { batch, rest };
};
